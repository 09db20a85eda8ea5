// A skipped step changes no tensor, and is counted.
// law: many_steps
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct skipped_step_counts : driftgate::plugins::capturable {
  void count(bool, const std::vector<driftgate::plugins::tensor>&) override { ++*roles.step; }
};

}  // namespace

DRIFTGATE_PLUGIN(skipped_step_counts)
