// Both corrections as one number, sqrt(1 - beta2^t) / (1 - beta1^t), times the moment; the learning
// rate last.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct one_correction : adamw {
  float denominator(float v) override {
    return std::sqrt(v) + static_cast<float>(given.eps * std::sqrt(correction2));
  }
  float change(float m, float denominator) override {
    const float correction = static_cast<float>(std::sqrt(correction2) / correction1);
    return static_cast<float>(given.lr) * (correction * m / denominator);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(one_correction)
