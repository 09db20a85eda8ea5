// Which cases a law wants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/gen/case.hpp"

namespace driftgate::properties {

struct case_profile {
  std::vector<distribution> draws;
  int lists_up_to = 6;                 // tensors in a list; awkward ones are longer
  std::int64_t elements_up_to = 3000;  // of one tensor; awkward ones are larger
  bool plain_scalars = false;          // the usual hyperparameters only
  // Each of these is met once in this many cases (0: never): an empty tensor in front, at the end,
  // or anywhere, equal sizes, hundreds or ten thousand tensors, a tensor beyond every chunk and
  // 16-bit size, and where deep one of a million elements.
  std::uint32_t awkward_one_in = 0;
  bool deep = false;
  bool may_skip = false;             // one step in seven is skipped, where the kernel can do that
  bool single_scalars = false;       // the kernel reads them as f32, where no beta may become 1
  std::vector<std::string> options;  // the rule's options that the kernel supports
};

}  // namespace driftgate::properties
