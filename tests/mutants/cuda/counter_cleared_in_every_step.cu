// Clears a counter on the device in every step: a memset more than its contract says.
// law: capture budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

__device__ int counter;

struct counter_cleared_in_every_step_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    void* address = nullptr;
    if (const int error = cudaGetSymbolAddress(&address, counter)) return from_launch(error);
    const auto stream = static_cast<cudaStream_t>(step.stream);
    if (const int error = cudaMemsetAsync(address, 0, sizeof counter, stream)) {
      return from_launch(error);
    }
    return elementwise_update::run(tensors, step);
  }
};

}  // namespace

const dg_kernel counter_cleared_in_every_step =
    mutant<counter_cleared_in_every_step_update>("counter_cleared_in_every_step");

}  // namespace driftgate::kernels::DG_BACKEND
