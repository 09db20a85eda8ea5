// torch.optim.AdamW(fused=True), were its coefficients exact: the decay is subtracted first, and
// sqrt(1 - beta2^t) is taken in single of a correction that has been rounded.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct root_of_the_correction_in_single : adamw {
  float first_moment(float m, float g) override {
    return one_minus_beta1 < 0.5F ? m + one_minus_beta1 * (g - m) : g - (g - m) * beta1;
  }
  float denominator(float v) override {
    return std::sqrt(v) / std::sqrt(static_cast<float>(correction2)) + eps;
  }
  float parameter(float p, float change) override {
    const float decay = static_cast<float>(given.lr * given.weight_decay);
    return p - decay * p - change;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(root_of_the_correction_in_single)
