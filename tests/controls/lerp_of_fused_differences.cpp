// Lerp by multiply-adds whose differences are fused as well, g g - v for one; the decay joins the
// update.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct lerp_of_fused_differences : adamw {
  float first_moment(float m, float g) override {
    return one_minus_beta1 < 0.5F ? std::fma(-one_minus_beta1, m - g, m)
                                  : std::fma(beta1, m - g, g);
  }
  float second_moment(float v, float g) override {
    return one_minus_beta2 < 0.5F ? std::fma(one_minus_beta2, std::fma(g, g, -v), v)
                                  : std::fma(beta2, std::fma(-g, g, v), g * g);
  }
  float parameter(float p, float change) override {
    const float decay = static_cast<float>(given.lr * given.weight_decay);
    return p - std::fma(decay, p, change);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(lerp_of_fused_differences)
