// A second call with the same step number does nothing.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct second_call_of_a_step_ignored : adamw {
  void step(const dg_step& s) override {
    if (s.step != given.step) adamw::step(s);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(second_call_of_a_step_ignored)
