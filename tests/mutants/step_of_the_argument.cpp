// Corrects the bias for the step's number as the host passes it, which a captured step never sees
// change.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct step_of_the_argument : driftgate::plugins::capturable {
  std::int64_t number(const dg_step& s) override { return s.step; }
};

}  // namespace

DRIFTGATE_PLUGIN(step_of_the_argument)
