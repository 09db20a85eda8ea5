// Knows the switch and does nothing about it.
// law: influence
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct amsgrad_ignored : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    h.amsgrad = false;
    return h;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(amsgrad_ignored)
