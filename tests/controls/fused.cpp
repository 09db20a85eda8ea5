// A fused multiply-add wherever one fits.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct fused : adamw {
  float first_moment(float m, float g) override { return std::fma(beta1, m, one_minus_beta1 * g); }
  float second_moment(float v, float g) override {
    return std::fma(one_minus_beta2 * g, g, beta2 * v);
  }
  float denominator(float v) override {
    return std::fma(std::sqrt(v), static_cast<float>(1 / std::sqrt(correction2)), eps);
  }
  float parameter(float p, float change) override { return std::fma(keep, p, -change); }
};

}  // namespace

DRIFTGATE_PLUGIN(fused)
