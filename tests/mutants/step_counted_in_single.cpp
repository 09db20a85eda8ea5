// The step's number goes through a float, which cannot count beyond 2^24.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct step_counted_in_single : driftgate::plugins::capturable {
  void count(bool skipped, const std::vector<driftgate::plugins::tensor>&) override {
    if (!skipped) *roles.step = static_cast<std::int64_t>(static_cast<float>(*roles.step) + 1.0F);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(step_counted_in_single)
