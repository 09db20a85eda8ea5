// Misses the element at which the second chunk of 65 536 begins.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct chunk_boundary_missed : adamw {
  void update_tensor(const tensor& t) override {
    for (std::int64_t i = 0; i < t.size; ++i) {
      if (i != 65'536) update_element(t, i);
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(chunk_boundary_missed)
