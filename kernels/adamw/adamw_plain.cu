// AdamW, the plain version: one thread, one element. To read first, and to check adamw.cu against.
#include "kernels/adamw/adamw.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
__global__ void adamw_plain_kernel(adamw_table<Index> table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const auto& tensor = table.rows[chunk.row];
  if (static_cast<int>(threadIdx.x) >= chunk.elements) return;
  const Index i = chunk.first + static_cast<Index>(threadIdx.x);
  adamw_element(c, *at<float>(tensor, param, i), *at<float>(tensor, grad, i),
                *at<float>(tensor, exp_avg, i), *at<float>(tensor, exp_avg_sq, i),
                *at<float>(tensor, max_exp_avg_sq, i));
}

template <class Index>
struct adamw_plain_update {
  using table = adamw_table<Index>;
  static constexpr const char* dtypes = adamw_dtypes;
  static constexpr int chunk_elements = 256;

  static int run(const table& tensors, const dg_step& step) {
    adamw_coefficients c;
    if (const int error = c.read(step)) return error;
    return launch_chunks(adamw_plain_kernel<Index>, tensors, chunk_elements, step, c);
  }
};

}  // namespace

const dg_kernel adamw_plain = table_kernel<adamw_plain_update<std::int64_t>>::describe(
    "adamw_plain", "adamw", adamw_options, adamw_numerics, adamw_budget);

}  // namespace driftgate::kernels::DG_BACKEND
