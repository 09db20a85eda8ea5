// The maximum of a NaN and a number is the number.
// law: special_values
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct amsgrad_drops_nan : adamw {
  float largest(float max_v, float v) override { return std::fmax(max_v, v); }
};

}  // namespace

DRIFTGATE_PLUGIN(amsgrad_drops_nan)
