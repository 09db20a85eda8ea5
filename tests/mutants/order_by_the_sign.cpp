// Negative moments take another right order of evaluation.
// law: symmetries
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct order_by_the_sign : adamw {
  float change(float m, float denominator) override {
    return m < 0 ? step_size * (m / denominator) : adamw::change(m, denominator);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(order_by_the_sign)
