// Multiplies by reciprocals where the rule divides.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct reciprocals : adamw {
  float denominator(float v) override {
    return std::sqrt(v) * static_cast<float>(1 / std::sqrt(correction2)) + eps;
  }
  float change(float m, float denominator) override { return step_size * m * (1 / denominator); }
};

}  // namespace

DRIFTGATE_PLUGIN(reciprocals)
