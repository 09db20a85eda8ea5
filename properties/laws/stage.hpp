// Which stage of the rule departs first, found by inputs that make one stage visible.
#pragma once

#include <string>

#include "properties/laws/engine.hpp"

namespace driftgate::properties {

// The failing element's stage: the output's own name for a state; for the parameter "update" if it
// is wrong with p = 0, "decay" if it is wrong with g = m = 0, else "param" (their combination).
// Empty where the oracle was not asked, or the kernel does not answer.
std::string first_stage(subject& kernel, const rules::rule& rule, const failing_case& failure);

}  // namespace driftgate::properties
