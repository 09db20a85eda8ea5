// The moments move by mean - x instead of x - mean: a zero that comes of it may have the other
// sign.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct differences_the_other_way : adamw {
  float first_moment(float m, float g) override { return lerp(m, g, beta1, one_minus_beta1); }
  float second_moment(float v, float g) override { return lerp(v, g * g, beta2, one_minus_beta2); }

 private:
  static float lerp(float old, float now, float beta, float one_minus_beta) {
    return one_minus_beta < 0.5F ? old - one_minus_beta * (old - now) : now + beta * (old - now);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(differences_the_other_way)
