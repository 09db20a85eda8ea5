// The decay is subtracted: (p - lr weight_decay p) - update.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_as_a_term : adamw {
  float parameter(float p, float change) override {
    const float decay = static_cast<float>(given.lr * given.weight_decay);
    return p - decay * p - change;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_as_a_term)
