// Multiplies by 1 / sqrt(1 - beta2^t), both operations in single, and by 1 / (1 - beta1^t).
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct reciprocal_root_in_single : adamw {
  float denominator(float v) override {
    return std::sqrt(v) * (1.0F / std::sqrt(static_cast<float>(correction2))) + eps;
  }
  float change(float m, float denominator) override {
    const float inverse = 1.0F / static_cast<float>(correction1);
    return static_cast<float>(given.lr) * (m * inverse) * (1.0F / denominator);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(reciprocal_root_in_single)
