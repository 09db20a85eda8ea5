// A device function whose arguments are floats, each rounded once, and which combines them itself:
// 1 - lr weight_decay, lr sqrt(1 - beta2^t) / (1 - beta1^t), eps sqrt(1 - beta2^t).
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct coefficients_combined_in_single : adamw {
  float denominator(float v) override { return std::sqrt(v) + eps * root_correction2; }
  float change(float m, float denominator) override {
    const float rate = static_cast<float>(given.lr) * root_correction2;
    return rate / static_cast<float>(correction1) * (m / denominator);
  }
  float parameter(float p, float change) override {
    const float decay = static_cast<float>(given.lr) * static_cast<float>(given.weight_decay);
    return p * (1.0F - decay) - change;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(coefficients_combined_in_single)
