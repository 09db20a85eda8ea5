// An absolute threshold where there is no scale: gradients below 1e-6 count as 0.
// law: symmetries
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct small_gradients_dropped : adamw {
  float gradient(float g) override { return std::fabs(g) < 1e-6f ? 0 : adamw::gradient(g); }
};

}  // namespace

DRIFTGATE_PLUGIN(small_gradients_dropped)
