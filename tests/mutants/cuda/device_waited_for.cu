// Waits for the whole device before it returns.
// law: asynchronous budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct device_waited_for_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    const int error = elementwise_update::run(tensors, step);
    return error != ok ? error : from_launch(cudaDeviceSynchronize());
  }
};

}  // namespace

const dg_kernel device_waited_for = mutant<device_waited_for_update>("device_waited_for");

}  // namespace driftgate::kernels::DG_BACKEND
