// Steps on, whatever was found.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct found_inf_ignored : driftgate::plugins::capturable {
  bool skips() override { return false; }
};

}  // namespace

DRIFTGATE_PLUGIN(found_inf_ignored)
