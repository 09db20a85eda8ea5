// torch.optim.AdamW for one tensor at a time: mul, lerp, addcmul and addcdiv, each of which rounds
// what it stores.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct one_operation_a_pass : adamw {
  float first_moment(float m, float g) override {
    return one_minus_beta1 < 0.5F ? m + one_minus_beta1 * (g - m) : g - (g - m) * beta1;
  }
  float second_moment(float v, float g) override {
    const float decayed = v * beta2;
    return decayed + one_minus_beta2 * g * g;
  }
  float change(float m, float denominator) override { return -step_size * m / denominator; }
  float parameter(float p, float change) override {
    const float decayed = p * keep;
    return decayed + change;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(one_operation_a_pass)
