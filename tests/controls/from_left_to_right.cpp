// The formula in one line, as a compiler reads it: p - lr m / c1 / denominator - lr weight_decay p.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct from_left_to_right : adamw {
  float change(float m, float denominator) override {
    return static_cast<float>(given.lr) * m / static_cast<float>(correction1) / denominator;
  }
  float parameter(float p, float change) override {
    return p - change - static_cast<float>(given.lr) * static_cast<float>(given.weight_decay) * p;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(from_left_to_right)
