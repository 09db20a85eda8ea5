// The unscaled gradient's quotient in double, rounded once.
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct capturable_in_double : driftgate::plugins::capturable {
  float unscaled(float g) override {
    return static_cast<float>(static_cast<double>(g) / *roles.grad_scale);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(capturable_in_double)
