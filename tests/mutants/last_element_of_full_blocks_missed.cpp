// Misses the last element of a large tensor that fills its blocks of 4096.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct last_element_of_full_blocks_missed : adamw {
  void update_tensor(const tensor& t) override {
    tensor shorter = t;
    if (t.size > 65'536 && t.size % 4096 == 0) --shorter.size;
    adamw::update_tensor(shorter);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(last_element_of_full_blocks_missed)
