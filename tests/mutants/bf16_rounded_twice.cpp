// Rounds to f16 on the way to bf16: a value beside the middle of two numbers ends up on it.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bf16_rounded_twice : narrow_adamw<bf16> {
  bf16 store(float x) override { return narrow_adamw::store(to_float(from_float<f16>(x))); }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(bf16_rounded_twice, "bf16")
