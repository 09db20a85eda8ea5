// Has 32 bits for the step.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct step_in_32_bits : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    h.step = static_cast<std::uint32_t>(h.step);
    return h;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(step_in_32_bits)
