// A job of many steps, as a training run takes them.
#pragma once

#include "properties/gen/case.hpp"

namespace driftgate::properties {

// From the case's state and step on: every step has another gradient, drawn as the case's, and
// hyperparameters that follow a schedule (options stay as they are).
job training_run(const case_spec& spec, const expanded_case& data, const rules::description& about,
                 std::uint64_t steps);

}  // namespace driftgate::properties
