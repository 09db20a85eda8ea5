// f16 with the decay subtracted as a term, moments by fused multiply-adds, and a reciprocal.
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct f16_decay_as_a_term : narrow_adamw<f16> {
  float first_moment(float m, float g) override { return std::fma(beta1, m, one_minus_beta1 * g); }
  float second_moment(float v, float g) override {
    return std::fma(one_minus_beta2 * g, g, beta2 * v);
  }
  float change(float m, float denominator) override { return step_size * m * (1 / denominator); }
  float parameter(float p, float change) override {
    return p - static_cast<float>(given.lr * given.weight_decay) * p - change;
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(f16_decay_as_a_term, "f16")
