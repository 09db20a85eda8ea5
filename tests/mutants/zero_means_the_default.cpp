// Reads a learning rate of zero as one that was left out.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct zero_means_the_default : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    if (h.lr == 0) h.lr = 1e-3;
    return h;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(zero_means_the_default)
