// Reads gradients that other warps load into shared memory, and does not wait for them.
// law: matches_oracle
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

__global__ void barrier_missing_kernel(mutant_table table, adamw_coefficients c) {
  __shared__ float staged[elementwise_update::chunk_elements];
  const auto chunk = table.chunks[blockIdx.x];
  const auto& row = table.rows[chunk.row];
  const int thread = static_cast<int>(threadIdx.x);
  // Each thread loads what the thread at the block's other end needs.
  const int other = elementwise_update::chunk_elements - 1 - thread;
  if (other < chunk.elements) staged[other] = *at<float>(row, grad, chunk.first + other);
  if (thread >= chunk.elements) return;
  const std::int64_t i = chunk.first + thread;
  const float g = *const_cast<volatile float*>(&staged[thread]);
  update_element(c, *at<float>(row, param, i), g, *at<float>(row, exp_avg, i),
                 *at<float>(row, exp_avg_sq, i), *at<float>(row, max_exp_avg_sq, i));
}

struct barrier_missing_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    return start(barrier_missing_kernel, tensors, step);
  }
};

}  // namespace

const dg_kernel barrier_missing = mutant<barrier_missing_update>("barrier_missing");

}  // namespace driftgate::kernels::DG_BACKEND
