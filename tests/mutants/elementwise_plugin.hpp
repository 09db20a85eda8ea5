// What mutants and controls share: AdamW as a plugin, in stages of which each of them replaces one.
//
// As it stands it is right: plain IEEE operations, one after the other, coefficients in double and
// rounded once. A rule is made in prepare and lives as long as its plan.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "driftgate/kernel.h"
#include "kernels/backend/powers.cuh"

namespace driftgate::plugins {

struct hyperparameters {
  std::int64_t step;
  double lr, beta1, beta2, eps, weight_decay;
  bool amsgrad, maximize;
};

struct tensor {
  float *param, *grad, *exp_avg, *exp_avg_sq, *max_exp_avg_sq;
  std::int64_t size;
};

inline std::vector<tensor> tensors(const dg_step& s);

class adamw {
 public:
  static constexpr std::uint64_t workspace_bytes = 0;
  static constexpr const char* dtypes =
      "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32";

  virtual ~adamw() = default;

  // The kernel's prepare and step.
  virtual void plan(const dg_step& /*s*/) {}
  virtual void step(const dg_step& s) {
    prepare(read(s));
    update_list(tensors(s));
  }

  virtual hyperparameters read(const dg_step& s) {
    return {s.step,
            scalar(s, "lr"),
            scalar(s, "beta1"),
            scalar(s, "beta2"),
            scalar(s, "eps"),
            scalar(s, "weight_decay"),
            scalar(s, "amsgrad") != 0,
            scalar(s, "maximize") != 0};
  }

  // The coefficients of a step.
  virtual void prepare(const hyperparameters& h) {
    given = h;
    beta1 = static_cast<float>(h.beta1);
    beta2 = static_cast<float>(h.beta2);
    one_minus_beta1 = static_cast<float>(1 - h.beta1);
    one_minus_beta2 = static_cast<float>(1 - h.beta2);
    correction1 = kernels::host::one_minus_power(h.beta1, h.step);
    correction2 = kernels::host::one_minus_power(h.beta2, h.step);
    step_size = static_cast<float>(h.lr / correction1);
    root_correction2 = static_cast<float>(std::sqrt(correction2));
    eps = static_cast<float>(h.eps);
    keep = static_cast<float>(1 - h.lr * h.weight_decay);
  }

  virtual void update_list(const std::vector<tensor>& list) {
    for (const tensor& t : list) update_tensor(t);
  }
  virtual void update_tensor(const tensor& t) {
    for (std::int64_t i = 0; i < t.size; ++i) update_element(t, i);
  }
  virtual void update_element(const tensor& t, std::int64_t i) {
    const float g = gradient(t.grad[i]);
    const float m = t.exp_avg[i] = first_moment(t.exp_avg[i], g);
    float v = t.exp_avg_sq[i] = second_moment(t.exp_avg_sq[i], g);
    if (given.amsgrad) v = t.max_exp_avg_sq[i] = largest(t.max_exp_avg_sq[i], v);
    t.param[i] = parameter(t.param[i], change(m, denominator(v)));
  }

  // The stages.
  virtual float gradient(float g) { return given.maximize ? -g : g; }
  virtual float first_moment(float m, float g) { return beta1 * m + one_minus_beta1 * g; }
  virtual float second_moment(float v, float g) { return beta2 * v + one_minus_beta2 * g * g; }
  virtual float largest(float max_v, float v) { return v > max_v || std::isnan(v) ? v : max_v; }
  virtual float denominator(float v) { return std::sqrt(v) / root_correction2 + eps; }
  virtual float change(float m, float denominator) { return step_size * m / denominator; }
  virtual float parameter(float p, float change) { return keep * p - change; }

  hyperparameters given{};
  float beta1, beta2, one_minus_beta1, one_minus_beta2;
  double correction1, correction2;  // 1 - beta^t
  float step_size;                  // lr / correction1
  float root_correction2;           // sqrt(correction2)
  float eps;
  float keep;  // 1 - lr * weight_decay

 private:
  static double scalar(const dg_step& s, std::string_view name) {
    for (int i = 0; i < s.num_scalars; ++i) {
      if (s.scalars[i].name == name) return s.scalars[i].value;
    }
    return std::nan("");
  }
};

inline std::vector<tensor> tensors(const dg_step& s) {
  constexpr std::pair<std::string_view, float * tensor::*> roles[] = {
      {"param", &tensor::param},
      {"grad", &tensor::grad},
      {"exp_avg", &tensor::exp_avg},
      {"exp_avg_sq", &tensor::exp_avg_sq},
      {"max_exp_avg_sq", &tensor::max_exp_avg_sq}};
  std::vector<tensor> list;
  for (int k = 0; k < s.num_lists; ++k) {
    // Roles of one element are another matter (scalar_roles_plugin.hpp).
    if (std::none_of(std::begin(roles), std::end(roles),
                     [&](const auto& known) { return known.first == s.lists[k].role; }))
      continue;
    list.resize(static_cast<std::size_t>(s.lists[k].count));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const DLTensor& from = s.lists[k].tensors[i];
      for (const auto& [role, data] : roles) {
        if (role == s.lists[k].role) list[i].*data = static_cast<float*>(from.data);
      }
      list[i].size = 1;
      for (int d = 0; d < from.ndim; ++d) list[i].size *= from.shape[d];
    }
  }
  return list;
}

template <class Rule>
dg_kernel kernel(const char* name, const char* numerics = nullptr) {
  dg_kernel k{};
  k.abi_version = DG_ABI_VERSION;
  k.struct_bytes = sizeof(dg_kernel);
  k.name = name;
  k.rule = "adamw";
  k.device = "cpu";
  k.dtypes = Rule::dtypes;
  k.options = "amsgrad maximize";
  k.numerics = numerics;
  if (Rule::workspace_bytes > 0) {
    k.workspace_bytes = [](const dg_step*) { return Rule::workspace_bytes; };
  }
  k.prepare = [](const dg_step* s, void** plan) {
    auto* const rule = new Rule;
    rule->plan(*s);
    *plan = rule;
    return 0;
  };
  k.step = [](const dg_step* s, void* plan) {
    static_cast<Rule*>(plan)->step(*s);
    return 0;
  };
  k.release = [](void* plan) { delete static_cast<Rule*>(plan); };
  return k;
}

}  // namespace driftgate::plugins

// Exports the rule as the plugin's one kernel, named after its file. A second argument is the
// contract's `numerics`.
#define DRIFTGATE_PLUGIN(rule, ...)                                                         \
  extern "C" int dg_plugin_kernels(const dg_kernel** kernels, std::int32_t* count) {        \
    static const dg_kernel only =                                                           \
        driftgate::plugins::kernel<rule>(DRIFTGATE_PLUGIN_NAME __VA_OPT__(, ) __VA_ARGS__); \
    *kernels = &only;                                                                       \
    *count = 1;                                                                             \
    return 0;                                                                               \
  }
