// Divides by a reciprocal that is right to 22 bits.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct quick_reciprocal : adamw {
  float change(float m, float denominator) override {
    const float reciprocal = 1 / denominator;
    return step_size * m * (reciprocal * (1 + 0x1p-22F));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(quick_reciprocal)
