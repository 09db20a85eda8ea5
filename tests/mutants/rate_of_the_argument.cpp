// Takes the learning rate that the host passes, which a captured step never sees change.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct rate_of_the_argument : driftgate::plugins::capturable {
  double rate(const dg_step& s) override { return read(s).lr; }
};

}  // namespace

DRIFTGATE_PLUGIN(rate_of_the_argument)
