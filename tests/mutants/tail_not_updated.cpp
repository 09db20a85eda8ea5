// Works in packs of four and forgets what is left.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct tail_not_updated : adamw {
  void update_tensor(const tensor& t) override {
    for (std::int64_t i = 0; i < t.size / 4 * 4; ++i) update_element(t, i);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(tail_not_updated)
