// Rounds the second moment up or down at random, and promises to round to nearest.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct rounds_at_random : adamw {
  float second_moment(float v, float g) override {
    const double exact = given.beta2 * v + (1 - given.beta2) * g * g;
    const auto nearest = static_cast<float>(exact);
    seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
    const float other = std::nextafter(nearest, exact > nearest ? HUGE_VALF : 0.0F);
    return exact != nearest && seed_ >> 63 != 0 ? other : nearest;
  }

 private:
  std::uint64_t seed_ = 1;
};

}  // namespace

DRIFTGATE_PLUGIN(rounds_at_random)
