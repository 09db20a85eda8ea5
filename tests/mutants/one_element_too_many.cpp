// Writes the element behind a tensor.
// law: stray_writes
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct one_element_too_many : adamw {
  void update_tensor(const tensor& t) override {
    adamw::update_tensor(t);
    if (t.size > 0) t.exp_avg[t.size] = 0;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(one_element_too_many)
