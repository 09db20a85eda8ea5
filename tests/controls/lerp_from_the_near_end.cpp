// lerp from the end that weighs more: below a weight 1 - beta of 1/2 from the old value, above it
// from the new one.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct lerp_from_the_near_end : adamw {
  float first_moment(float m, float g) override {
    return lerp(m, g, given.beta1, beta1, one_minus_beta1);
  }
  float second_moment(float v, float g) override {
    return lerp(v, g * g, given.beta2, beta2, one_minus_beta2);
  }

 private:
  static float lerp(float from, float to, double exact_beta, float beta, float one_minus_beta) {
    return 1 - exact_beta < 0.5 ? from + one_minus_beta * (to - from) : to - beta * (to - from);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(lerp_from_the_near_end)
