// Takes v * rsqrtf(v) for the root, which is not rounded correctly, and NaN at 0.
// law: host_and_device bits_differ
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct root_by_approximate_reciprocal_operations : operations {
  static __device__ float root(float v) {
#ifdef __CUDACC__
    return v * rsqrtf(v);
#else
    return std::sqrt(v);
#endif
  }
};

struct root_by_approximate_reciprocal_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    return start(elementwise_kernel<root_by_approximate_reciprocal_operations>, tensors, step);
  }
};

}  // namespace

const dg_kernel root_by_approximate_reciprocal =
    mutant<root_by_approximate_reciprocal_update>("root_by_approximate_reciprocal");

}  // namespace driftgate::kernels::DG_BACKEND
