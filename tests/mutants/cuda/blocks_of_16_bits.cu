// Launches 65 535 blocks at most, and none of them works on a second chunk.
// law: beyond_32_bits
#include <algorithm>

#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct blocks_of_16_bits_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    table launched = tensors;
    launched.num_chunks = std::min(launched.num_chunks, 65'535u);
    return elementwise_update::run(launched, step);
  }
};

}  // namespace

const dg_kernel blocks_of_16_bits = mutant<blocks_of_16_bits_update>("blocks_of_16_bits");

}  // namespace driftgate::kernels::DG_BACKEND
