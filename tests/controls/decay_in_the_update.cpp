// NVIDIA apex' multi_tensor_adam, as a compiler that contracts leaves it: corrected moments, the
// decay added to their quotient, the learning rate times the sum.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_in_the_update : adamw {
  float first_moment(float m, float g) override { return std::fma(beta1, m, one_minus_beta1 * g); }
  float second_moment(float v, float g) override {
    return std::fma(beta2, v, one_minus_beta2 * g * g);
  }
  float denominator(float v) override {
    return std::sqrt(v / static_cast<float>(correction2)) + eps;
  }
  float change(float m, float denominator) override {
    return m / static_cast<float>(correction1) / denominator;
  }
  float parameter(float p, float quotient) override {
    const float update = std::fma(static_cast<float>(given.weight_decay), p, quotient);
    return std::fma(-static_cast<float>(given.lr), update, p);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_in_the_update)
