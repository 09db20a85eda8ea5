// Every stage in double from exact coefficients, rounded to f32 at its end.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct in_double : adamw {
  float first_moment(float m, float g) override {
    return static_cast<float>(given.beta1 * m + (1 - given.beta1) * g);
  }
  float second_moment(float v, float g) override {
    return static_cast<float>(given.beta2 * v + (1 - given.beta2) * g * g);
  }
  float denominator(float v) override {
    return static_cast<float>(std::sqrt(v / correction2) + given.eps);
  }
  float change(float m, float denominator) override {
    return static_cast<float>(given.lr / correction1 * m / denominator);
  }
  float parameter(float p, float change) override {
    return static_cast<float>((1 - given.lr * given.weight_decay) * p - change);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(in_double)
