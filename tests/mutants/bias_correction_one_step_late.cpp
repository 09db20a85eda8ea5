// The bias corrections of the next step.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bias_correction_one_step_late : adamw {
  void prepare(const hyperparameters& h) override {
    hyperparameters next = h;
    ++next.step;
    adamw::prepare(next);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(bias_correction_one_step_late)
