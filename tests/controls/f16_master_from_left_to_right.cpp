// Master weights by the formula in one line, with a copy in f16.
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct f16_master_from_left_to_right : narrow_adamw<f16> {
  float change(float m, float denominator) override {
    return static_cast<float>(given.lr) * m / static_cast<float>(correction1) / denominator;
  }
  float parameter(float p, float change) override {
    return p - change - static_cast<float>(given.lr) * static_cast<float>(given.weight_decay) * p;
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(f16_master_from_left_to_right, "f16", "master_param=f32")
