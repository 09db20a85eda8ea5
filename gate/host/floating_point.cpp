#include "gate/host/floating_point.hpp"

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace driftgate::gate::host {

#if defined(__x86_64__)

floating_point_control read_floating_point() {
  constexpr unsigned exception_flags = 0x3f;
  std::uint16_t x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return {_mm_getcsr() & ~exception_flags, x87};
}

void restore_floating_point(const floating_point_control& control) {
  const auto x87 = static_cast<std::uint16_t>(control.x87);
  __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(x87));
  _mm_setcsr(static_cast<unsigned>(control.vector));
}

#elif defined(__aarch64__)

floating_point_control read_floating_point() {
  std::uint64_t fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return {fpcr, 0};
}

void restore_floating_point(const floating_point_control& control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control.vector));
}

#else

floating_point_control read_floating_point() {
  return {static_cast<std::uint64_t>(std::fegetround()), 0};
}

void restore_floating_point(const floating_point_control& control) {
  std::fesetround(static_cast<int>(control.vector));
}

#endif

}  // namespace driftgate::gate::host
