// Everything in double, the unrounded moments too; rounded to float only where a role is stored.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct double_throughout : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    const double g = gradient(t.grad[i]);
    const double m = given.beta1 * t.exp_avg[i] + (1 - given.beta1) * g;
    double v = given.beta2 * t.exp_avg_sq[i] + (1 - given.beta2) * g * g;
    t.exp_avg[i] = static_cast<float>(m);
    t.exp_avg_sq[i] = static_cast<float>(v);
    if (given.amsgrad) {
      const double so_far = t.max_exp_avg_sq[i];
      v = v > so_far || std::isnan(v) ? v : so_far;
      t.max_exp_avg_sq[i] = static_cast<float>(v);
    }
    const double change = given.lr / correction1 * m / (std::sqrt(v / correction2) + given.eps);
    t.param[i] = static_cast<float>((1 - given.lr * given.weight_decay) * t.param[i] - change);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(double_throughout)
