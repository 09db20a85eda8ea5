// Takes results below the smallest normal number for zero.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct subnormals_flushed : adamw {
  float second_moment(float v, float g) override {
    const float next = adamw::second_moment(v, g);
    return next < 0x1p-126F ? 0 : next;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(subnormals_flushed)
