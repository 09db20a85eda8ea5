// The parameter in double, rounded to single and then to bf16.
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bf16_from_double_by_single : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float) override {
    const double m = t.exp_avg[i];
    const double v = given.amsgrad ? t.max_exp_avg_sq[i] : t.exp_avg_sq[i];
    const double change = given.lr / correction1 * m / (std::sqrt(v / correction2) + given.eps);
    const double p = (1 - given.lr * given.weight_decay) * load(t.param[i]) - change;
    t.param[i] = store(static_cast<float>(p));
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(bf16_from_double_by_single, "bf16")
