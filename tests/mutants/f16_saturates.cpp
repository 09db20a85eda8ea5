// Stores the largest number of f16 for whatever is larger.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct f16_saturates : narrow_adamw<f16> {
  f16 store(float x) override {
    return narrow_adamw::store(std::fabs(x) > 65504 ? std::copysign(65504.0F, x) : x);
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(f16_saturates, "f16")
