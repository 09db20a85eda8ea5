// Updates whole packs of four only.
// law: every_element_written unwritten
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

__global__ void tail_of_a_block_not_updated_kernel(mutant_table table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread >= chunk.elements / 4 * 4) return;
  update_at(c, table.rows[chunk.row], chunk.first + thread);
}

struct tail_of_a_block_not_updated_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    return start(tail_of_a_block_not_updated_kernel, tensors, step);
  }
};

}  // namespace

const dg_kernel tail_of_a_block_not_updated =
    mutant<tail_of_a_block_not_updated_update>("tail_of_a_block_not_updated");

}  // namespace driftgate::kernels::DG_BACKEND
