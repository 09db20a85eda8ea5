// The parameter in double, and from there to bf16: the rounding of a value that single may give
// too.
#include "oracles/formats/format.hpp"
#include "tests/mutants/narrow_plugin.hpp"

namespace {

namespace formats = driftgate::formats;
using namespace driftgate::plugins;

struct bf16_from_double : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float) override {
    const double m = t.exp_avg[i];
    const double v = given.amsgrad ? t.max_exp_avg_sq[i] : t.exp_avg_sq[i];
    const double change = given.lr / correction1 * m / (std::sqrt(v / correction2) + given.eps);
    const double p = (1 - given.lr * given.weight_decay) * load(t.param[i]) - change;
    t.param[i] = {formats::encode<formats::format_id::bf16>(p)};
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(bf16_from_double, "bf16")
