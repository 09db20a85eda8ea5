// RapidCheck generators of cases. RapidCheck draws and shrinks the small description; expand()
// makes the tensors of it. (Its own floats never give NaN, infinity, a subnormal or -0, and most
// are integers.)
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "properties/gen/case.hpp"

namespace driftgate::properties {

// Which cases a law wants.
struct case_profile {
  std::vector<distribution> draws;
  int lists_up_to = 6;                 // tensors in a list; a law may ask for a few of 10 000
  std::int64_t elements_up_to = 3000;  // of one tensor
  bool plain_scalars = false;          // the usual hyperparameters only
  // Each of these is met once in this many cases (0: never): an empty tensor in front, at the end,
  // or anywhere, hundreds of tensors, or one beyond every chunk and 16-bit size; ten thousand
  // tensors and a million elements where deep.
  std::uint32_t awkward_one_in = 0;
  bool deep = false;
  std::vector<std::string> options;  // the rule's options that the kernel supports
};

// Sizes shrink to the shortest list of the smallest tensors, hyperparameters to the usual ones, the
// step to 1, options to off. The seed does not shrink.
rc::Gen<case_spec> cases(const rules::description& rule, const case_profile& profile);

}  // namespace driftgate::properties
