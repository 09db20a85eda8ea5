// AdamW with the four roles of one element, in stages of which each mutant or control replaces one.
// As it stands it is right.
#pragma once

#include "kernels/backend/scalar_roles.cuh"
#include "tests/mutants/elementwise_plugin.hpp"

namespace driftgate::plugins {

class capturable : public adamw {
 public:
  static constexpr const char* dtypes =
      "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32" DG_SCALAR_ROLES;

  void step(const dg_step& s) override {
    roles.find(s);
    const bool skipped = skips();
    hyperparameters now = read(s);
    now.step = number(s);
    now.lr = rate(s);
    prepare(now);
    if (!skipped) update_list(tensors(s));
    count(skipped, tensors(s));
  }

  float gradient(float g) override { return adamw::gradient(unscaled(g)); }

  // The stages.
  virtual bool skips() { return *roles.found_inf != 0; }
  virtual std::int64_t number(const dg_step& /*s*/) { return *roles.step + 1; }
  virtual double rate(const dg_step& /*s*/) { return *roles.lr; }
  virtual float unscaled(float g) { return g / *roles.grad_scale; }
  virtual void count(bool skipped, const std::vector<tensor>& /*list*/) {
    if (!skipped) ++*roles.step;
  }

  kernels::host::scalar_roles roles;
};

}  // namespace driftgate::plugins
