// Which of two right orders is taken depends on time, as that of a race would.
// law: deterministic
#include <chrono>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct order_by_the_clock : adamw {
  float change(float m, float denominator) override {
    // Modulo 3: whatever the clock's granularity, all remainders occur.
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return now % 3 == 0 ? step_size * (m / denominator) : adamw::change(m, denominator);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(order_by_the_clock)
