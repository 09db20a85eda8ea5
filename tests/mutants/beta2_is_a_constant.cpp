// The usual value in place of the one that was handed over.
// law: influence
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct beta2_is_a_constant : adamw {
  void prepare(const hyperparameters& h) override {
    hyperparameters usual = h;
    usual.beta2 = 0.999;
    adamw::prepare(usual);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(beta2_is_a_constant)
