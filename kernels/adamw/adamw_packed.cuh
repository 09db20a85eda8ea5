// AdamW, the fast version: a thread moves packs of four elements. The elements before the first
// pack and after the last one go singly, as do those of a tensor whose roles cannot start a pack
// together.
//
// One text for every storage of parameter and gradient: they are converted to float exactly, the
// update is in float, and the parameter is rounded once, when it is stored.
#pragma once

#include <type_traits>

#include "kernels/adamw/adamw.cuh"
#include "kernels/backend/formats.cuh"

namespace driftgate::kernels::DG_BACKEND {

// What param and grad are stored in. With a master, the step reads and updates master_param in f32,
// and param receives a copy.
template <class Param, class Grad, bool Master = false>
struct adamw_storage {
  using copy = Param;
  using gradient = Grad;
  using weight = std::conditional_t<Master, float, Param>;
  static constexpr bool has_master = Master;
  static constexpr int weights = Master ? master_param : param;
  static constexpr int roles = adamw_roles + (Master ? 1 : 0);
};

template <class Storage, class Index>
using adamw_packed_table = tensor_table<Storage::roles, Index>;

// The gradient as the update takes it: as it is, or without a loss scale.
struct unscaled {
  __device__ __forceinline__ float operator()(float g) const { return g; }
};
struct divided_by {
  float scale;
  __device__ __forceinline__ float operator()(float g) const { return g / scale; }
};

// Updates a stored element; its copy, if it has one.
template <class Storage, class Gradient>
__device__ __forceinline__ void adamw_stored_element(
    const adamw_coefficients& c, const Gradient& gradient_of, typename Storage::weight& weight,
    typename Storage::copy& copy, typename Storage::gradient g, float& m, float& v, float& max_v) {
  float p = to_float(weight);
  adamw_element(c, p, gradient_of(to_float(g)), m, v, max_v);
  weight = from_float<typename Storage::weight>(p);
  if constexpr (Storage::has_master) copy = from_float<typename Storage::copy>(p);
}

// A block's part of a step.
template <class Storage, class Table, class Gradient>
__device__ __forceinline__ void adamw_update_chunk(const Table& table, const adamw_coefficients& c,
                                                   const Gradient& gradient_of) {
  using weight = typename Storage::weight;
  using copy = typename Storage::copy;
  using gradient = typename Storage::gradient;
  const auto chunk = table.chunks[blockIdx.x];
  const auto& tensor = table.rows[chunk.row];
  weight* const p = at<weight>(tensor, Storage::weights, chunk.first);
  copy* const rounded = at<copy>(tensor, param, chunk.first);
  gradient* const g = at<gradient>(tensor, grad, chunk.first);
  float* const m = at<float>(tensor, exp_avg, chunk.first);
  float* const v = at<float>(tensor, exp_avg_sq, chunk.first);
  float* const max_v = at<float>(tensor, max_exp_avg_sq, chunk.first);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  const int head = tensor.head < chunk.elements ? tensor.head : chunk.elements;
  const int packed = (chunk.elements - head) / 4 * 4;
  for (int i = head + 4 * thread; i < head + packed; i += 4 * threads) {
    const pack<gradient> g4 = load_pack(g + i);
    pack<weight> p4 = load_pack(p + i);
    pack<copy> rounded4{};
    pack<float> m4 = load_pack(m + i), v4 = load_pack(v + i), max_v4{};
    if (c.amsgrad) max_v4 = load_pack(max_v + i);
    for (int k = 0; k < 4; ++k) {
      adamw_stored_element<Storage>(c, gradient_of, p4.at[k], rounded4.at[k], g4.at[k], m4.at[k],
                                    v4.at[k], max_v4.at[k]);
    }
    store_pack(p + i, p4);
    if constexpr (Storage::has_master) store_pack(rounded + i, rounded4);
    store_pack(m + i, m4);
    store_pack(v + i, v4);
    if (c.amsgrad) store_pack(max_v + i, max_v4);
  }
  for (int single = thread; single < chunk.elements - packed; single += threads) {
    const int i = single < head ? single : single + packed;
    adamw_stored_element<Storage>(c, gradient_of, p[i], rounded[i], g[i], m[i], v[i], max_v[i]);
  }
}

template <class Storage, class Index>
__global__ void adamw_kernel(adamw_packed_table<Storage, Index> table, adamw_coefficients c) {
  adamw_update_chunk<Storage>(table, c, unscaled());
}

// A kernel's update but for its `dtypes`, which name the storage.
template <class Storage, class Index>
struct adamw_packed_update {
  using table = adamw_packed_table<Storage, Index>;
  static constexpr int threads = 256;
  static constexpr int chunk_elements = 4 * 4 * threads;  // four packs to a thread

  static int run(const table& tensors, const dg_step& step) {
    adamw_coefficients c;
    if (const int error = c.read(step)) return error;
    return launch_chunks(adamw_kernel<Storage, Index>, tensors, threads, step, c);
  }
};

}  // namespace driftgate::kernels::DG_BACKEND
