// The decay acts on the updated parameter: off by lr * weight_decay times the update.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_after_the_update : adamw {
  float parameter(float p, float change) override { return keep * (p - change); }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_after_the_update)
