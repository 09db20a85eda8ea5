// What -ffast-math links into a shared object: the whole process flushes subnormals to zero.
#include "tests/gate/host/plugins/plugin.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
[[gnu::constructor]] static void on_load() {
  _mm_setcsr(_mm_getcsr() | 0x8040);
}
#elif defined(__aarch64__)
[[gnu::constructor]] static void on_load() {
  __asm__ volatile("msr fpcr, %0" : : "r"(1ul << 24));
}
#endif

static const dg_kernel kernels[] = {plugin::kernel("descends", plugin::descend)};

EXPORT_KERNELS(kernels)
