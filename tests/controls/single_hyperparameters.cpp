// llm.c: lerp by two multiply-adds from the new end, the corrected moments, and hyperparameters
// that are single already. From the new end 1 - beta is exact if beta is a float: the contract says
// so.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct single_hyperparameters : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    for (double* x : {&h.lr, &h.beta1, &h.beta2, &h.eps, &h.weight_decay}) {
      *x = static_cast<float>(*x);
    }
    return h;
  }
  float first_moment(float m, float g) override { return lerp(g, m, beta1); }
  float second_moment(float v, float g) override { return lerp(g * g, v, beta2); }
  float denominator(float v) override {
    return std::sqrt(v / static_cast<float>(correction2)) + eps;
  }
  float change(float m, float denominator) override {
    return m / static_cast<float>(correction1) / denominator;
  }
  float parameter(float p, float quotient) override {
    return p -
           static_cast<float>(given.lr) * (quotient + static_cast<float>(given.weight_decay) * p);
  }

 private:
  static float lerp(float start, float end, float weight) {
    return std::fma(weight, end, std::fma(-weight, start, start));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(single_hyperparameters, "coefficients=f32")
