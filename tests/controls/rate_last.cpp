// optax: a chain of transformations, the last of which multiplies by -lr.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct rate_last : adamw {
  float first_moment(float m, float g) override { return one_minus_beta1 * g + beta1 * m; }
  float second_moment(float v, float g) override { return one_minus_beta2 * (g * g) + beta2 * v; }
  float denominator(float v) override {
    const float v_hat = v / static_cast<float>(correction2);
    return std::sqrt(v_hat + 0.0F) + eps;
  }
  float change(float m, float denominator) override {
    return m / static_cast<float>(correction1) / denominator;
  }
  float parameter(float p, float quotient) override {
    const float decayed = quotient + static_cast<float>(given.weight_decay) * p;
    return p + -static_cast<float>(given.lr) * decayed;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(rate_last)
