// Every 64th call of a plan writes nothing.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct call_64_lost : adamw {
  void step(const dg_step& s) override {
    if (++calls_ % 64 != 0) adamw::step(s);
  }

 private:
  int calls_ = 0;
};

}  // namespace

DRIFTGATE_PLUGIN(call_64_lost)
