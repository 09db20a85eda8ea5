// Adds half an ulp and truncates: of a master in the middle of two numbers, the copy is the larger
// one, not the even one.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct copy_rounded_half_up : narrow_adamw<bf16> {
  bf16 copy(float old, float now) override {
    if (std::isnan(now)) return narrow_adamw::copy(old, now);
    return {static_cast<std::uint16_t>((bits_of(now) + 0x8000) >> 16)};
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(copy_rounded_half_up, "bf16", "master_param=f32")
