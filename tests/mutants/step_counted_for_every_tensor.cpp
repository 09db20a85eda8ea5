// The step's number counts tensors.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct step_counted_for_every_tensor : driftgate::plugins::capturable {
  void count(bool skipped, const std::vector<driftgate::plugins::tensor>& list) override {
    if (!skipped) *roles.step += static_cast<std::int64_t>(list.size());
  }
};

}  // namespace

DRIFTGATE_PLUGIN(step_counted_for_every_tensor)
