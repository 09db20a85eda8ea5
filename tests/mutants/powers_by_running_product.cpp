// Multiplies the powers of constant betas on from step to step, in single precision.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct powers_by_running_product : adamw {
  void prepare(const hyperparameters& h) override {
    const bool next = h.step == given.step + 1 && h.beta1 == given.beta1 && h.beta2 == given.beta2;
    adamw::prepare(h);
    power1_ = next ? power1_ * beta1 : static_cast<float>(1 - correction1);
    power2_ = next ? power2_ * beta2 : static_cast<float>(1 - correction2);
    if (!next) return;
    step_size = static_cast<float>(h.lr / (1.0 - power1_));
    root_correction2 = static_cast<float>(std::sqrt(1.0 - power2_));
  }

 private:
  float power1_ = 0, power2_ = 0;
};

}  // namespace

DRIFTGATE_PLUGIN(powers_by_running_product)
