// Stores the master as its copy is, in 8 bits.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct master_in_bf16 : narrow_adamw<bf16> {
  float parameter(float p, float change) override {
    return load(store(adamw::parameter(p, change)));
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(master_in_bf16, "bf16", "master_param=f32")
