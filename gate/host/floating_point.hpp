// The control bits of the floating-point environment: rounding, flush to zero, traps. Not the
// exception flags, which every operation may raise.
#pragma once

#include <cstdint>

namespace driftgate::gate::host {

struct floating_point_control {
  std::uint64_t vector = 0;  // MXCSR, FPCR
  std::uint64_t x87 = 0;

  bool operator==(const floating_point_control&) const = default;
};

floating_point_control read_floating_point();
void restore_floating_point(const floating_point_control& control);

}  // namespace driftgate::gate::host
