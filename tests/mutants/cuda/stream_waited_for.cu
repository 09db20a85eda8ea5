// Waits for its stream before it returns.
// law: asynchronous budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct stream_waited_for_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    const int error = elementwise_update::run(tensors, step);
    if (error != ok) return error;
    return from_launch(cudaStreamSynchronize(static_cast<cudaStream_t>(step.stream)));
  }
};

}  // namespace

const dg_kernel stream_waited_for = mutant<stream_waited_for_update>("stream_waited_for");

}  // namespace driftgate::kernels::DG_BACKEND
