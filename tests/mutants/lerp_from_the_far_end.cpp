// m + (1 - beta1) (g - m) at every beta1: below 1/2 it loses g where m is large, and at 0 it has to
// be g.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct lerp_from_the_far_end : adamw {
  float first_moment(float m, float g) override { return m + one_minus_beta1 * (g - m); }
};

}  // namespace

DRIFTGATE_PLUGIN(lerp_from_the_far_end)
