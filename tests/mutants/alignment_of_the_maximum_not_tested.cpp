// Moves four elements at a time wherever all roles but max_exp_avg_sq are aligned.
// law: aligning
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct alignment_of_the_maximum_not_tested : adamw {
  void update_tensor(const tensor& t) override {
    const auto off = [](const float* data) { return reinterpret_cast<std::uintptr_t>(data) % 16; };
    tensor vectors = t;
    if (off(t.param) + off(t.grad) + off(t.exp_avg) + off(t.exp_avg_sq) == 0) {
      // A vector access ignores the lowest bits of its address.
      vectors.max_exp_avg_sq -= off(t.max_exp_avg_sq) / sizeof(float);
    }
    const std::int64_t packed = t.size / 4 * 4;
    for (std::int64_t i = 0; i < t.size; ++i) update_element(i < packed ? vectors : t, i);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(alignment_of_the_maximum_not_tested)
