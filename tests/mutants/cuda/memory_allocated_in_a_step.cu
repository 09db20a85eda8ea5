// Allocates memory in every step, which no stream that is captured allows.
// law: capture error_code
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct memory_allocated_in_a_step_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    void* scratch = nullptr;
    if (const int error = cudaMalloc(&scratch, 4096)) return from_launch(error);
    const int error = elementwise_update::run(tensors, step);
    const int freed = cudaFree(scratch);
    return error != ok ? error : from_launch(freed);
  }
};

}  // namespace

const dg_kernel memory_allocated_in_a_step =
    mutant<memory_allocated_in_a_step_update>("memory_allocated_in_a_step");

}  // namespace driftgate::kernels::DG_BACKEND
