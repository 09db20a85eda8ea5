// maximize without a negated gradient: it is subtracted from the first moment, and the update is
// formed with the other sign and added.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct negated_at_the_end : adamw {
  float gradient(float g) override { return g; }
  float first_moment(float m, float g) override {
    return given.maximize ? beta1 * m - one_minus_beta1 * g : adamw::first_moment(m, g);
  }
  float change(float m, float denominator) override { return step_size * (-m / denominator); }
  float parameter(float p, float change) override { return keep * p + change; }
};

}  // namespace

DRIFTGATE_PLUGIN(negated_at_the_end)
