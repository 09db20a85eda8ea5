// RapidCheck generators of cases. RapidCheck draws and shrinks the small description; expand()
// makes the tensors of it. (Its own floats never give NaN, infinity, a subnormal or -0, and most
// are integers.)
#pragma once

#include <rapidcheck.h>

#include "properties/gen/profile.hpp"

namespace driftgate::properties {

// Sizes shrink to the shortest list of the smallest tensors, hyperparameters to the usual ones, the
// step to 1, options to off. The seed does not shrink.
rc::Gen<case_spec> cases(const rules::description& rule, const case_profile& profile);

}  // namespace driftgate::properties
