// Takes memory from the stream's pool in every step, and gives it back.
// law: capture budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct memory_from_the_pool_in_a_step_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    const auto stream = static_cast<cudaStream_t>(step.stream);
    void* scratch = nullptr;
    if (const int error = cudaMallocAsync(&scratch, 4096, stream)) return from_launch(error);
    const int error = elementwise_update::run(tensors, step);
    const int freed = cudaFreeAsync(scratch, stream);
    return error != ok ? error : from_launch(freed);
  }
};

}  // namespace

const dg_kernel memory_from_the_pool_in_a_step =
    mutant<memory_from_the_pool_in_a_step_update>("memory_from_the_pool_in_a_step");

}  // namespace driftgate::kernels::DG_BACKEND
