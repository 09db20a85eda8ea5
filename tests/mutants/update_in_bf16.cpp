// Rounds the update to bf16 before it is subtracted.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct update_in_bf16 : narrow_adamw<bf16> {
  float change(float m, float denominator) override {
    return load(store(adamw::change(m, denominator)));
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(update_in_bf16, "bf16")
