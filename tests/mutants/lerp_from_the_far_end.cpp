// m + (1 - beta1) (g - m) at every beta1: lerp has to start from the new end where the weight
// 1 - beta1 is above 1/2. From the old end it loses g there where m is large, and at beta1 = 0 the
// mean has to be g.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct lerp_from_the_far_end : adamw {
  float first_moment(float m, float g) override { return m + one_minus_beta1 * (g - m); }
};

}  // namespace

DRIFTGATE_PLUGIN(lerp_from_the_far_end)
