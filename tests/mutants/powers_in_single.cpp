// Takes beta^t in single precision.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct powers_in_single : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    const auto t = static_cast<float>(h.step);
    step_size = static_cast<float>(h.lr) / (1 - std::pow(beta1, t));
    root_correction2 = std::sqrt(1 - std::pow(beta2, t));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(powers_in_single)
