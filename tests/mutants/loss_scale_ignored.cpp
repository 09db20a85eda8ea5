// The gradient goes in as it came, scaled.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct loss_scale_ignored : driftgate::plugins::capturable {
  float unscaled(float g) override { return g; }
};

}  // namespace

DRIFTGATE_PLUGIN(loss_scale_ignored)
