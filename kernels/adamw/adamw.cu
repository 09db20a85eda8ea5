// AdamW, the fast version: a thread moves packs of four elements. The elements before the first
// pack and after the last one go singly, as do those of a tensor whose roles cannot start a pack
// together.
#include "kernels/adamw/adamw.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
__global__ void adamw_kernel(adamw_table<Index> table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const auto& tensor = table.rows[chunk.row];
  float* const p = at<float>(tensor, param, chunk.first);
  const float* const g = at<float>(tensor, grad, chunk.first);
  float* const m = at<float>(tensor, exp_avg, chunk.first);
  float* const v = at<float>(tensor, exp_avg_sq, chunk.first);
  float* const max_v = at<float>(tensor, max_exp_avg_sq, chunk.first);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  const int head = tensor.head < chunk.elements ? tensor.head : chunk.elements;
  const int packed = (chunk.elements - head) / 4 * 4;
  for (int i = head + 4 * thread; i < head + packed; i += 4 * threads) {
    const pack<float> g4 = load_pack(g + i);
    pack<float> p4 = load_pack(p + i), m4 = load_pack(m + i), v4 = load_pack(v + i), max_v4{};
    if (c.amsgrad) max_v4 = load_pack(max_v + i);
    for (int k = 0; k < 4; ++k) {
      adamw_element(c, p4.at[k], g4.at[k], m4.at[k], v4.at[k], max_v4.at[k]);
    }
    store_pack(p + i, p4);
    store_pack(m + i, m4);
    store_pack(v + i, v4);
    if (c.amsgrad) store_pack(max_v + i, max_v4);
  }
  for (int single = thread; single < chunk.elements - packed; single += threads) {
    const int i = single < head ? single : single + packed;
    adamw_element(c, p[i], g[i], m[i], v[i], max_v[i]);
  }
}

template <class Index>
struct adamw_update {
  using table = adamw_table<Index>;
  static constexpr const char* dtypes = adamw_dtypes;
  static constexpr int threads = 256;
  static constexpr int chunk_elements = 4 * 4 * threads;  // four packs to a thread

  static int run(const table& tensors, const dg_step& step) {
    adamw_coefficients c;
    if (const int error = c.read(step)) return error;
    return launch_chunks(adamw_kernel<Index>, tensors, threads, step, c);
  }
};

}  // namespace

const dg_kernel adamw = table_kernel<adamw_update<std::int64_t>>::describe(
    "adamw", "adamw", adamw_options, adamw_numerics, adamw_budget);

}  // namespace driftgate::kernels::DG_BACKEND
