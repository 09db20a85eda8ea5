// A guard against negative moments that fmaxf turns into one that hides NaN.
// law: special_values
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct nan_swallowed : adamw {
  float second_moment(float v, float g) override {
    return std::fmax(adamw::second_moment(v, g), 0.0f);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(nan_swallowed)
