// Copies the master before it is stepped: the copy lags behind by a step.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct copy_of_the_old_master : narrow_adamw<bf16> {
  bf16 copy(float old, float) override { return store(old); }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(copy_of_the_old_master, "bf16", "master_param=f32")
