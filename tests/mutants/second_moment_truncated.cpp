// Rounds exp_avg_sq towards zero: within an ulp each time, and always to the same side.
// law: signed_bias
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct second_moment_truncated : adamw {
  float second_moment(float v, float g) override {
    const double exact =
        static_cast<double>(beta2) * v + static_cast<double>(one_minus_beta2) * g * g;
    const float nearest = static_cast<float>(exact);
    return nearest > exact ? std::nextafter(nearest, 0.0f) : nearest;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(second_moment_truncated)
