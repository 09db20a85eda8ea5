// Rounds the bits of a NaN as if it were a number: the one that devices return, with all bits of
// its payload set, becomes a negative zero.
// law: special_values
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct nan_rounded_away : narrow_adamw<bf16> {
  bf16 store(float x) override {
    const std::uint32_t bits = std::isnan(x) ? 0x7fffffffU : bits_of(x);
    return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(nan_rounded_away, "bf16")
