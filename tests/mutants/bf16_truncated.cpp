// Stores the upper half of a float: rounds towards zero.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bf16_truncated : narrow_adamw<bf16> {
  bf16 store(float x) override { return {static_cast<std::uint16_t>(bits_of(x) >> 16)}; }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(bf16_truncated, "bf16")
