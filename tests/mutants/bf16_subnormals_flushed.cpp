// Stores a zero for what bf16 holds as a subnormal.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bf16_subnormals_flushed : narrow_adamw<bf16> {
  bf16 store(float x) override {
    return narrow_adamw::store(std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x);
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(bf16_subnormals_flushed, "bf16")
