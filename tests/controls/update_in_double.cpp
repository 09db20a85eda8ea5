// The moments in single; from the stored moments on in double, and the parameter is rounded once.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct update_in_double : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    const float g = gradient(t.grad[i]);
    const double m = t.exp_avg[i] = first_moment(t.exp_avg[i], g);
    float v = t.exp_avg_sq[i] = second_moment(t.exp_avg_sq[i], g);
    if (given.amsgrad) v = t.max_exp_avg_sq[i] = largest(t.max_exp_avg_sq[i], v);
    const double denominator =
        std::sqrt(static_cast<double>(v)) / std::sqrt(correction2) + given.eps;
    const double decayed = t.param[i] - given.lr * given.weight_decay * t.param[i];
    t.param[i] = static_cast<float>(decayed - given.lr * (m / correction1 / denominator));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(update_in_double)
