// In the order of torch.optim.AdamW over lists (foreach): the step size multiplies the quotient,
// 1 - beta2 the square. One difference: its lerp takes 1 - (float)(1 - beta1) for beta1 where that
// is below 1/2, which loses beta1's digits; here beta1 is rounded by itself.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct pointwise_on_lists : adamw {
  float first_moment(float m, float g) override {
    return one_minus_beta1 < 0.5F ? std::fma(one_minus_beta1, g - m, m)
                                  : std::fma(-beta1, g - m, g);
  }
  float second_moment(float v, float g) override {
    return std::fma(one_minus_beta2, g * g, v * beta2);
  }
  float change(float m, float denominator) override { return m / denominator; }
  float parameter(float p, float quotient) override {
    return std::fma(-step_size, quotient, p * keep);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(pointwise_on_lists)
