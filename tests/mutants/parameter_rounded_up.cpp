// Rounds the parameter upwards: within an ulp each time, and always to the same side.
// law: signed_bias
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct parameter_rounded_up : adamw {
  float parameter(float p, float change) override {
    const double exact = static_cast<double>(keep) * p - change;
    const float nearest = static_cast<float>(exact);
    return nearest < exact ? std::nextafter(nearest, HUGE_VALF) : nearest;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(parameter_rounded_up)
