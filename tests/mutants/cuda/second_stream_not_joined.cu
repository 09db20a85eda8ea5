// Works on a second stream that starts after the given one, which never waits for it.
// law: capture budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct second_stream_not_joined_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    static cudaStream_t second = nullptr;
    static cudaEvent_t earlier_work = nullptr;
    if (second == nullptr) {
      int error = cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
      if (error == 0) error = cudaEventCreateWithFlags(&earlier_work, cudaEventDisableTiming);
      if (error != 0) return from_launch(error);
    }
    int error = cudaEventRecord(earlier_work, static_cast<cudaStream_t>(step.stream));
    if (error == 0) error = cudaStreamWaitEvent(second, earlier_work, 0);
    if (error != 0) return from_launch(error);
    dg_step elsewhere = step;
    elsewhere.stream = second;
    return elementwise_update::run(tensors, elsewhere);
  }
};

}  // namespace

const dg_kernel second_stream_not_joined =
    mutant<second_stream_not_joined_update>("second_stream_not_joined");

}  // namespace driftgate::kernels::DG_BACKEND
