// What mutants and controls with 16-bit roles share: AdamW as a plugin whose parameter and gradient
// are bf16 or f16, with or without master weights in f32. The stages are those of
// elementwise_plugin.hpp; added to them is what a kernel loads and stores.
//
// As it stands it is right: exact on the way in, rounded once on the way out.
#pragma once

#include "kernels/backend/formats.cuh"
#include "tests/mutants/elementwise_plugin.hpp"

namespace driftgate::plugins {

using kernels::host::bf16;
using kernels::host::bits_of;
using kernels::host::f16;
using kernels::host::from_float;
using kernels::host::to_float;

// master_param is null where the contract has none.
template <class Format>
struct narrow_tensor {
  Format *param, *grad;
  float *exp_avg, *exp_avg_sq, *max_exp_avg_sq, *master_param;
  std::int64_t size;
};

template <class Format>
class narrow_adamw : public adamw {
 public:
  using format = Format;
  using stored_tensor = narrow_tensor<Format>;

  virtual void update_tensor(const stored_tensor& t) {
    for (std::int64_t i = 0; i < t.size; ++i) update_element(t, i);
  }
  virtual void update_element(const stored_tensor& t, std::int64_t i) {
    const float g = gradient(load(t.grad[i]));
    const float m = t.exp_avg[i] = first_moment(t.exp_avg[i], g);
    float v = t.exp_avg_sq[i] = second_moment(t.exp_avg_sq[i], g);
    if (given.amsgrad) v = t.max_exp_avg_sq[i] = largest(t.max_exp_avg_sq[i], v);
    update_parameter(t, i, change(used_moment(m), denominator(used_moment(v))));
  }
  virtual void update_parameter(const stored_tensor& t, std::int64_t i, float by) {
    if (t.master_param == nullptr) {
      t.param[i] = store(parameter(load(t.param[i]), by));
      return;
    }
    const float old = t.master_param[i];
    t.master_param[i] = parameter(old, by);
    t.param[i] = copy(old, t.master_param[i]);
  }

  virtual float load(Format x) { return to_float(x); }
  virtual Format store(float x) { return from_float<Format>(x); }
  // The parameter's copy of a master that was and now is.
  virtual Format copy(float /*old*/, float now) { return store(now); }
  // What the update makes of a moment.
  virtual float used_moment(float x) { return x; }

 private:
  using adamw::update_element;
  using adamw::update_tensor;
};

template <class Format>
std::vector<narrow_tensor<Format>> narrow_tensors(const dg_step& s) {
  std::vector<narrow_tensor<Format>> list(static_cast<std::size_t>(s.lists[0].count));
  for (int k = 0; k < s.num_lists; ++k) {
    const std::string_view role = s.lists[k].role;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const DLTensor& from = s.lists[k].tensors[i];
      narrow_tensor<Format>& to = list[i];
      if (role == "param") to.param = static_cast<Format*>(from.data);
      if (role == "grad") to.grad = static_cast<Format*>(from.data);
      if (role == "exp_avg") to.exp_avg = static_cast<float*>(from.data);
      if (role == "exp_avg_sq") to.exp_avg_sq = static_cast<float*>(from.data);
      if (role == "max_exp_avg_sq") to.max_exp_avg_sq = static_cast<float*>(from.data);
      if (role == "master_param") to.master_param = static_cast<float*>(from.data);
      to.size = 1;
      for (int d = 0; d < from.ndim; ++d) to.size *= from.shape[d];
    }
  }
  return list;
}

template <class Rule>
dg_kernel narrow_kernel(const char* name, const char* dtypes) {
  dg_kernel k = kernel<Rule>(name);
  k.dtypes = dtypes;
  k.step = [](const dg_step* s, void* plan) {
    Rule& rule = *static_cast<Rule*>(plan);
    rule.prepare(rule.read(*s));
    for (const auto& t : narrow_tensors<typename Rule::format>(*s)) {
      static_cast<narrow_adamw<typename Rule::format>&>(rule).update_tensor(t);
    }
    return 0;
  };
  return k;
}

}  // namespace driftgate::plugins

// Exports the rule as the plugin's one kernel, named after its file, with param and grad in a
// format of 16 bits; a third argument is the word of a role more.
#define DRIFTGATE_NARROW_PLUGIN(rule, format, ...)                                             \
  extern "C" int dg_plugin_kernels(const dg_kernel** kernels, std::int32_t* count) {           \
    static const dg_kernel only = driftgate::plugins::narrow_kernel<rule>(                     \
        DRIFTGATE_PLUGIN_NAME, "param=" format " grad=" format                                 \
                               " exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32 " __VA_ARGS__); \
    *kernels = &only;                                                                          \
    *count = 1;                                                                                \
    return 0;                                                                                  \
  }
