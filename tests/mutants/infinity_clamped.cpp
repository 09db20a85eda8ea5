// An infinite gradient is taken for the largest finite one.
// law: special_values
#include <limits>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct infinity_clamped : adamw {
  float gradient(float g) override {
    const float finite = std::isinf(g) ? std::copysign(std::numeric_limits<float>::max(), g) : g;
    return adamw::gradient(finite);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(infinity_clamped)
