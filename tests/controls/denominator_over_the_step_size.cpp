// torch.optim.AdamW(foreach=True, capturable=True): the whole denominator is divided by the step
// size. At lr = 0 that would be x / 0: the order is another one there.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct denominator_over_the_step_size : adamw {
  float denominator(float v) override {
    const float plain = adamw::denominator(v);
    return given.lr == 0 ? plain : plain / -step_size;
  }
  float change(float m, float denominator) override {
    return given.lr == 0 ? -adamw::change(m, denominator) : m / denominator;
  }
  float parameter(float p, float change) override { return keep * p + change; }
};

}  // namespace

DRIFTGATE_PLUGIN(denominator_over_the_step_size)
