// Puts its work on the default stream, whichever stream it is given.
// law: asynchronous budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct launched_on_the_default_stream_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    dg_step elsewhere = step;
    elsewhere.stream = nullptr;
    return elementwise_update::run(tensors, elsewhere);
  }
};

}  // namespace

const dg_kernel launched_on_the_default_stream =
    mutant<launched_on_the_default_stream_update>("launched_on_the_default_stream");

}  // namespace driftgate::kernels::DG_BACKEND
