// Kingma and Ba's shorter order (arXiv:1412.6980, end of section 2): the corrections move to the
// step size, and eps carries sqrt(1 - beta2^t).
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct scaled_eps : adamw {
  float denominator(float v) override {
    return std::sqrt(v) + static_cast<float>(given.eps * std::sqrt(correction2));
  }
  float change(float m, float denominator) override {
    return static_cast<float>(given.lr * std::sqrt(correction2) / correction1) * m / denominator;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(scaled_eps)
