// bitsandbytes' order of the update, after the decay: the corrections are in a negated step size
// and in eps.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decayed_then_scaled_eps : adamw {
  float denominator(float v) override {
    return std::sqrt(v) + static_cast<float>(given.eps * std::sqrt(correction2));
  }
  float change(float m, float denominator) override {
    return static_cast<float>(-given.lr * std::sqrt(correction2) / correction1) * (m / denominator);
  }
  float parameter(float p, float change) override { return p * keep + change; }
};

}  // namespace

DRIFTGATE_PLUGIN(decayed_then_scaled_eps)
