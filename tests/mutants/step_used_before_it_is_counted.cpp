// Corrects the bias for the steps taken so far, without this one.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct step_used_before_it_is_counted : driftgate::plugins::capturable {
  std::int64_t number(const dg_step&) override { return *roles.step; }
};

}  // namespace

DRIFTGATE_PLUGIN(step_used_before_it_is_counted)
