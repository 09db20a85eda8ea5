// Works in pairs of 16-bit elements, and leaves an odd last one.
// law: every_element_written
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct odd_tail_not_updated : narrow_adamw<bf16> {
  void update_tensor(const stored_tensor& t) override {
    for (std::int64_t i = 0; i < t.size / 2 * 2; ++i) update_element(t, i);
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(odd_tail_not_updated, "bf16")
