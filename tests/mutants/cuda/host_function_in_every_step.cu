// Has the host count the steps from within the stream.
// law: capture budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct host_function_in_every_step_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    static int steps = 0;
    const auto stream = static_cast<cudaStream_t>(step.stream);
    const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
    if (const int error = cudaLaunchHostFunc(stream, count, &steps)) return from_launch(error);
    return elementwise_update::run(tensors, step);
  }
};

}  // namespace

const dg_kernel host_function_in_every_step =
    mutant<host_function_in_every_step_update>("host_function_in_every_step");

}  // namespace driftgate::kernels::DG_BACKEND
