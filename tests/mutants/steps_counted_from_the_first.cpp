// Reads the step's number in a plan's first call, and counts from there.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct steps_counted_from_the_first : adamw {
  void prepare(const hyperparameters& h) override {
    hyperparameters counted = h;
    if (given.step != 0) counted.step = given.step + 1;
    adamw::prepare(counted);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(steps_counted_from_the_first)
