// What the mutants for a CUDA device share: AdamW in one launch, one thread an element, of which
// each of them replaces a part.
//
// As it stands it is right. Its operations are plain ones, so that a compiler which may contract
// or approximate them does.
#pragma once

#include <cmath>

#include "kernels/adamw/adamw.cuh"

namespace driftgate::kernels::DG_BACKEND {

using mutant_table = adamw_table<std::int64_t>;

struct operations {
  static __device__ float root(float v) { return sqrtf(v); }
  static __device__ float quotient(float a, float b) { return a / b; }
};

// The element at these addresses.
template <class Operations = operations>
__device__ void update_element(const adamw_coefficients& c, float& p, float g, float& m, float& v,
                               float& max_v) {
  if (c.maximize) g = -g;
  m = c.beta1 * m + c.one_minus_beta1 * g;
  v = c.beta2 * v + c.one_minus_beta2 * g * g;
  float largest = v;
  if (c.amsgrad) {
    if (!(max_v >= v) && max_v == max_v) max_v = v;
    largest = max_v;
  }
  const float denominator = Operations::root(largest) * c.inverse_root + c.eps;
  p = c.keep * p - Operations::quotient(c.step_size * m, denominator);
}

// Element i of a row.
template <class Operations = operations>
__device__ void update_at(const adamw_coefficients& c, const mutant_table::row& row,
                          std::int64_t i) {
  update_element<Operations>(c, *at<float>(row, param, i), *at<float>(row, grad, i),
                             *at<float>(row, exp_avg, i), *at<float>(row, exp_avg_sq, i),
                             *at<float>(row, max_exp_avg_sq, i));
}

template <class Operations>
__global__ void elementwise_kernel(mutant_table table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < chunk.elements)
    update_at<Operations>(c, table.rows[chunk.row], chunk.first + thread);
}

// An Update for table_kernel.
struct elementwise_update {
  using table = mutant_table;
  static constexpr const char* dtypes = adamw_dtypes;
  static constexpr int chunk_elements = 256;

  using kernel_function = void (*)(mutant_table, adamw_coefficients);
  static int run(const table& tensors, const dg_step& step) {
    return start(elementwise_kernel<operations>, tensors, step);
  }
  static int start(kernel_function kernel, const table& tensors, const dg_step& step) {
    adamw_coefficients c;
    if (const int error = c.read(step)) return error;
    return launch_chunks(kernel, tensors, chunk_elements, step, c);
  }
};

template <class Update>
constexpr dg_kernel mutant(const char* name) {
  return table_kernel<Update>::describe(name, "adamw", adamw_options, adamw_numerics, adamw_budget);
}

}  // namespace driftgate::kernels::DG_BACKEND
