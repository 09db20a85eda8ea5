// The copy is the upper half of its master: rounded towards zero.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct copy_truncated : narrow_adamw<bf16> {
  bf16 copy(float, float now) override { return {static_cast<std::uint16_t>(bits_of(now) >> 16)}; }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(copy_truncated, "bf16", "master_param=f32")
