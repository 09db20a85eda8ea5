// Takes the moments as they are.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct bias_correction_missing : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    step_size = static_cast<float>(h.lr);
    root_correction2 = 1;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(bias_correction_missing)
