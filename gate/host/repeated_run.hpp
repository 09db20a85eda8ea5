// One step on tensors too large for the host: each repeats a small one over the device's memory,
// and the device compares what came out.
#pragma once

#include <cstdint>

#include "gate/host/connection.hpp"
#include "gate/host/guard_pattern.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

// For a job of one tensor and one step. The child must work in a device's memory.
properties::subject::repeated_outcome run_repeated(connection& child,
                                                   const properties::contract& promised,
                                                   const guard_pattern& pattern,
                                                   const properties::job& one,
                                                   std::int64_t elements);

}  // namespace driftgate::gate::host
