// Divides with __fdividef, which is 2 ulps off and 0 for the largest divisors.
// law: host_and_device bits_differ
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct quick_division_operations : operations {
  static __device__ float quotient(float a, float b) {
#ifdef __CUDACC__
    return __fdividef(a, b);
#else
    return a / b;
#endif
  }
};

struct quick_division_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    return start(elementwise_kernel<quick_division_operations>, tensors, step);
  }
};

}  // namespace

const dg_kernel quick_division = mutant<quick_division_update>("quick_division");

}  // namespace driftgate::kernels::DG_BACKEND
