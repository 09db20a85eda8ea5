// An argument that is taken and not used.
// law: influence
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct weight_decay_ignored : adamw {
  float parameter(float p, float change) override { return p - change; }
};

}  // namespace

DRIFTGATE_PLUGIN(weight_decay_ignored)
