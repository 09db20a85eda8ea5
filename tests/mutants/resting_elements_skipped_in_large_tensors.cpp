// Skips the elements of a large tensor that have neither gradient nor momentum.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct resting_elements_skipped_in_large_tensors : adamw {
  void update_tensor(const tensor& t) override {
    for (std::int64_t i = 0; i < t.size; ++i) {
      const bool rests = t.grad[i] == 0 && t.exp_avg[i] == 0;
      if (t.size < 5000 || !rests) update_element(t, i);
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(resting_elements_skipped_in_large_tensors)
