// Keras: the moments take increments where 1 - beta < 1/2 (elsewhere that loses the gradient),
// alpha holds both corrections.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct increments : adamw {
  float first_moment(float m, float g) override {
    return one_minus_beta1 < 0.5F ? m + (g - m) * one_minus_beta1 : adamw::first_moment(m, g);
  }
  float second_moment(float v, float g) override {
    return one_minus_beta2 < 0.5F ? v + (g * g - v) * one_minus_beta2 : adamw::second_moment(v, g);
  }
  float denominator(float v) override {
    return std::sqrt(v) + static_cast<float>(given.eps * std::sqrt(correction2));
  }
  float change(float m, float denominator) override {
    return m * static_cast<float>(given.lr * std::sqrt(correction2) / correction1) / denominator;
  }
  float parameter(float p, float change) override {
    const float decay = p * static_cast<float>(given.weight_decay) * static_cast<float>(given.lr);
    return p - decay - change;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(increments)
