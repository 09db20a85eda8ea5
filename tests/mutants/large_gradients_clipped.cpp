// Clips gradients, which nobody asked for.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct large_gradients_clipped : adamw {
  float gradient(float g) override { return adamw::gradient(std::fmin(std::fmax(g, -1e4F), 1e4F)); }
};

}  // namespace

DRIFTGATE_PLUGIN(large_gradients_clipped)
