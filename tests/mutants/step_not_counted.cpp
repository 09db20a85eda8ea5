// The step's number is read and left as it was.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct step_not_counted : driftgate::plugins::capturable {
  void count(bool, const std::vector<driftgate::plugins::tensor>&) override {}
};

}  // namespace

DRIFTGATE_PLUGIN(step_not_counted)
