// The loss scale as a factor, taken once.
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct capturable_by_reciprocal : driftgate::plugins::capturable {
  float unscaled(float g) override { return g * (1 / *roles.grad_scale); }
};

}  // namespace

DRIFTGATE_PLUGIN(capturable_by_reciprocal)
