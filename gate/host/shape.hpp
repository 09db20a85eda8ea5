// A tensor's dimensions. Optimizers see parameters of any rank; to an elementwise rule all are
// alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace driftgate::gate::host {

struct shape {
  std::int64_t rank = 1;
  std::array<std::int64_t, 8> extents{};

  // From no dimension (one element, at times) to eight, in turn by `turn`.
  shape(std::int64_t elements, std::size_t turn);
};

}  // namespace driftgate::gate::host
