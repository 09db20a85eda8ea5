// Moves packs of four wherever a tensor begins.
// law: aligning crashed
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

__global__ void packs_from_any_address_kernel(mutant_table table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const auto& row = table.rows[chunk.row];
  const int packs = chunk.elements / 4;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < packs) {
    const std::int64_t i = chunk.first + 4 * thread;
    const pack<float> g = load_pack(at<float>(row, grad, i));
    pack<float> p = load_pack(at<float>(row, param, i));
    pack<float> m = load_pack(at<float>(row, exp_avg, i));
    pack<float> v = load_pack(at<float>(row, exp_avg_sq, i)), max_v{};
    if (c.amsgrad) max_v = load_pack(at<float>(row, max_exp_avg_sq, i));
    for (int k = 0; k < 4; ++k) update_element(c, p.at[k], g.at[k], m.at[k], v.at[k], max_v.at[k]);
    store_pack(at<float>(row, param, i), p);
    store_pack(at<float>(row, exp_avg, i), m);
    store_pack(at<float>(row, exp_avg_sq, i), v);
    if (c.amsgrad) store_pack(at<float>(row, max_exp_avg_sq, i), max_v);
  }
  const int single = 4 * packs + thread;
  if (single < chunk.elements) update_at(c, row, chunk.first + single);
}

struct packs_from_any_address_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    return start(packs_from_any_address_kernel, tensors, step);
  }
};

}  // namespace

const dg_kernel packs_from_any_address =
    mutant<packs_from_any_address_update>("packs_from_any_address");

}  // namespace driftgate::kernels::DG_BACKEND
