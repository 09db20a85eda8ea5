// Counts a tensor's elements in 32 bits, without a sign.
// law: beyond_32_bits
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

__global__ void offsets_in_32_bits_kernel(mutant_table table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const std::uint32_t i = static_cast<std::uint32_t>(chunk.first) + threadIdx.x;
  if (static_cast<int>(threadIdx.x) < chunk.elements) update_at(c, table.rows[chunk.row], i);
}

struct offsets_in_32_bits_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    return start(offsets_in_32_bits_kernel, tensors, step);
  }
};

}  // namespace

const dg_kernel offsets_in_32_bits = mutant<offsets_in_32_bits_update>("offsets_in_32_bits");

}  // namespace driftgate::kernels::DG_BACKEND
