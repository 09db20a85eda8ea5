// DeepSpeed's cpu_adam: every step is a multiply-add, and the negated rates are added.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct negated_rates_fused : adamw {
  float first_moment(float m, float g) override { return std::fma(g, one_minus_beta1, m * beta1); }
  float second_moment(float v, float g) override {
    return std::fma(g * g, one_minus_beta2, v * beta2);
  }
  float denominator(float v) override {
    return std::fma(std::sqrt(v), static_cast<float>(1 / std::sqrt(correction2)), eps);
  }
  float change(float m, float denominator) override { return m / denominator; }
  float parameter(float p, float quotient) override {
    const float decayed = std::fma(p, static_cast<float>(-given.lr * given.weight_decay), p);
    return std::fma(quotient, -step_size, decayed);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(negated_rates_fused)
