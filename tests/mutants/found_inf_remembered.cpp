// Once a step was skipped, all that follow are.
// law: many_steps
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct found_inf_remembered : driftgate::plugins::capturable {
  bool skips() override { return skipped_ = skipped_ || capturable::skips(); }

 private:
  bool skipped_ = false;
};

}  // namespace

DRIFTGATE_PLUGIN(found_inf_remembered)
