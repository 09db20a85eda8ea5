// One division an element: 1 - beta1^t multiplies the denominator.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct one_division : adamw {
  float change(float m, float denominator) override {
    return static_cast<float>(given.lr) * m / (static_cast<float>(correction1) * denominator);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(one_division)
