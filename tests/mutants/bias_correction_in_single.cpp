// 1 - beta^t by cancellation in single precision.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bias_correction_in_single : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    const auto power = driftgate::kernels::host::power(h.beta2, h.step);
    root_correction2 = std::sqrt(1.0f - static_cast<float>(power.hi));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(bias_correction_in_single)
