// AdamW for one element, and the coefficients of one step.
//
// Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (arXiv:1711.05101), algorithm 2,
// as torch.optim.AdamW documents it: the parameter decays by lr * weight_decay before the update,
// and amsgrad keeps the maximum of the uncorrected second moment.
#pragma once

#include <cmath>

#include "kernels/backend/arguments.cuh"
#include "kernels/backend/powers.cuh"
#include "kernels/backend/tensor_table.cuh"

namespace driftgate::kernels::DG_BACKEND {

// In the order of a contract's dtypes. master_param is there in some.
enum adamw_role { param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq, adamw_roles, master_param = 5 };

constexpr const char* adamw_dtypes =
    "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32";
constexpr const char* adamw_options = "amsgrad maximize";
constexpr const char* adamw_numerics = "compute=f32 rounding=nearest";
// An element's bytes: four reads and three writes, and one of each more with amsgrad.
constexpr const char* adamw_budget = "launches=1 bytes=28 capture=yes";

template <class Index>
using adamw_table = tensor_table<adamw_roles, Index>;

// The scalars of a step.
struct adamw_scalars {
  double lr, beta1, beta2, eps, weight_decay;
  bool amsgrad;
  bool maximize;

  int read(const dg_step& step) {
    double ams, maximizing;
    const int error = read_scalars(step, {{"lr", &lr},
                                          {"beta1", &beta1},
                                          {"beta2", &beta2},
                                          {"eps", &eps},
                                          {"weight_decay", &weight_decay},
                                          {"amsgrad", &ams},
                                          {"maximize", &maximizing}});
    if (error) return error;
    amsgrad = ams != 0;
    maximize = maximizing != 0;
    return ok;
  }
};

// Each is computed in double and rounded once: in single, 1 - beta2 alone would be 216 u off.
struct adamw_coefficients {
  float beta1;
  float one_minus_beta1;
  float beta2;
  float one_minus_beta2;
  float step_size;     // lr / (1 - beta1^t)
  float inverse_root;  // 1 / sqrt(1 - beta2^t)
  float eps;
  float keep;  // 1 - lr * weight_decay
  bool amsgrad;
  bool maximize;

  // For step t.
  __host__ __device__ void set(const adamw_scalars& s, std::int64_t t) {
    beta1 = static_cast<float>(s.beta1);
    one_minus_beta1 = static_cast<float>(1 - s.beta1);
    beta2 = static_cast<float>(s.beta2);
    one_minus_beta2 = static_cast<float>(1 - s.beta2);
    step_size = static_cast<float>(s.lr / one_minus_power(s.beta1, t));
    inverse_root = static_cast<float>(1 / sqrt(one_minus_power(s.beta2, t)));
    eps = static_cast<float>(s.eps);
    keep = static_cast<float>(fma(-s.lr, s.weight_decay, 1.0));
    amsgrad = s.amsgrad;
    maximize = s.maximize;
  }

  int read(const dg_step& step) {
    adamw_scalars s;
    if (const int error = s.read(step)) return error;
    set(s, step.step);
    return ok;
  }
};

// Updates one element. max_v is neither read nor written without amsgrad.
__device__ __forceinline__ void adamw_element(const adamw_coefficients& c, float& p, float g,
                                              float& m, float& v, float& max_v) {
  if (c.maximize) g = -g;
  m = fmaf(c.beta1, m, c.one_minus_beta1 * g);
  v = fmaf(c.beta2, v, (c.one_minus_beta2 * g) * g);
  float largest = v;
  if (c.amsgrad) {
    // A maximum that keeps a NaN on either side, as fmaxf does not.
    if (!(max_v >= v) && max_v == max_v) max_v = v;
    largest = max_v;
  }
  const float denominator = fmaf(sqrtf(largest), c.inverse_root, c.eps);
  p = fmaf(c.keep, p, -(c.step_size * m) / denominator);
}

}  // namespace driftgate::kernels::DG_BACKEND
