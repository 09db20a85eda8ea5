// Has a table for 4096 tensors and steps no more.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct list_of_4096 : adamw {
  void update_list(const std::vector<tensor>& list) override {
    std::size_t place = 0;
    for (const tensor& t : list) {
      if (++place <= 4096) update_tensor(t);
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(list_of_4096)
