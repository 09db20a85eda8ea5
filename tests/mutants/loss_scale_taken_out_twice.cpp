// The gradient is divided by the loss scale by the caller's unscaling and here again: hidden in
// Adam's quotient, visible in the moments.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct loss_scale_taken_out_twice : driftgate::plugins::capturable {
  float unscaled(float g) override { return g / *roles.grad_scale / *roles.grad_scale; }
};

}  // namespace

DRIFTGATE_PLUGIN(loss_scale_taken_out_twice)
