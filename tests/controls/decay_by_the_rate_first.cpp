// p - (lr p) weight_decay - update.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_by_the_rate_first : adamw {
  float parameter(float p, float change) override {
    const float decay = static_cast<float>(given.lr) * p * static_cast<float>(given.weight_decay);
    return p - decay - change;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_by_the_rate_first)
