// torch.optim.AdamW(capturable=True): the step size divides the denominator's terms, so that a
// graph can hold it as a tensor. At lr = 0 that would be x / 0: the order is another one there.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct step_size_in_the_denominator : adamw {
  float denominator(float v) override {
    if (given.lr == 0) return adamw::denominator(v);
    const double step = -given.lr / correction1;
    return std::sqrt(v) / static_cast<float>(std::sqrt(correction2) * step) +
           static_cast<float>(given.eps / step);
  }
  float change(float m, float denominator) override {
    return given.lr == 0 ? -adamw::change(m, denominator) : m / denominator;
  }
  float parameter(float p, float change) override { return keep * p + change; }
};

}  // namespace

DRIFTGATE_PLUGIN(step_size_in_the_denominator)
