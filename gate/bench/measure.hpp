// How long a kernel's step takes on a list of tensors.
#pragma once

#include <span>
#include <string>

#include "driftgate/kernel.h"
#include "gate/bench/machine.hpp"
#include "gate/bench/workload.hpp"
#include "oracles/rules/evaluator.hpp"
#include "properties/contract.hpp"

namespace driftgate::gate::bench {

// Seconds of one copy of so many bytes to another place: the median of many.
double copy_seconds(machine& where, std::size_t bytes);

struct timing {
  double seconds = 0;       // of a step, the median of many
  double host_seconds = 0;  // until step returned, the median
};

// Usual hyperparameters, options off, from step 1000 on. Throws std::runtime_error if the kernel
// returns an error.
timing time_steps(machine& where, const dg_kernel& kernel, const properties::contract& promised,
                  const rules::description& about, const workload& work);

}  // namespace driftgate::gate::bench
