// The f16 gradient goes through bf16 on its way to f32.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct gradient_rounded_twice : narrow_adamw<f16> {
  float gradient(float g) override { return to_float(from_float<bf16>(adamw::gradient(g))); }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(gradient_rounded_twice, "f16")
