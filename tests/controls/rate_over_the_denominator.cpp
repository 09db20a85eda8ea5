// A rate of its own for each element, lr / denominator, as the papers on adaptive methods put it;
// then the corrected moment.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct rate_over_the_denominator : adamw {
  float change(float m, float denominator) override {
    const float rate = static_cast<float>(given.lr) / denominator;
    return rate * (m / static_cast<float>(correction1));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(rate_over_the_denominator)
