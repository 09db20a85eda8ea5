// A lerp of two multiply-adds (Nvidia's), from the end whose weight is the smaller.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct lerp_in_two_multiply_adds : adamw {
  float first_moment(float m, float g) override { return lerp(m, g, beta1, one_minus_beta1); }
  float second_moment(float v, float g) override { return lerp(v, g * g, beta2, one_minus_beta2); }

 private:
  static float lerp(float old, float now, float beta, float one_minus_beta) {
    return one_minus_beta < 0.5F
               ? std::fma(one_minus_beta, now, std::fma(-one_minus_beta, old, old))
               : std::fma(beta, old, std::fma(-beta, now, now));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(lerp_in_two_multiply_adds)
