// Rounds the first moment to eight bits before it is stored.
// law: matches_oracle
#include <bit>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct first_moment_in_bf16 : adamw {
  float first_moment(float m, float g) override {
    const auto bits = std::bit_cast<std::uint32_t>(adamw::first_moment(m, g));
    return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(first_moment_in_bf16)
