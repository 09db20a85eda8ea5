// The order of the paper's algorithm: m and v are corrected, then combined.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct corrected_moments_first : adamw {
  float denominator(float v) override {
    return std::sqrt(v / static_cast<float>(correction2)) + eps;
  }
  float change(float m, float denominator) override {
    const float corrected = m / static_cast<float>(correction1);
    return static_cast<float>(given.lr) * corrected / denominator;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(corrected_moments_first)
