#include "gate/host/shape.hpp"

namespace driftgate::gate::host {
namespace {

// The largest small divisor, so that rows and columns differ.
std::int64_t divisor_of(std::int64_t elements) {
  for (const std::int64_t divisor : {8, 7, 5, 4, 3, 2}) {
    if (elements % divisor == 0) return divisor;
  }
  return 1;
}

constexpr std::array<std::int64_t, 8> ranks{1, 2, 3, 0, 4, 5, 6, 8};

}  // namespace

shape::shape(std::int64_t elements, std::size_t turn) : rank(ranks[turn % ranks.size()]) {
  if (rank == 0 && elements == 1) return;
  if (rank == 0) rank = 1;
  // Divisors in front, and the rest last; of eight dimensions every second has one element only.
  std::int64_t rest = elements;
  for (std::int64_t i = 0; i < rank; ++i) {
    const bool last = i + 1 == rank;
    const bool single = rank == 8 && i % 2 == 0;
    extents[static_cast<std::size_t>(i)] = last ? rest : single ? 1 : divisor_of(rest);
    if (!last)
      rest /= extents[static_cast<std::size_t>(i)] != 0 ? extents[static_cast<std::size_t>(i)] : 1;
  }
}

}  // namespace driftgate::gate::host
