// Hands over the betas in the wrong order.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct betas_swapped : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    std::swap(h.beta1, h.beta2);
    return h;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(betas_swapped)
