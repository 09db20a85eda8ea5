// Computes the decay's factor in bf16, where 1 - lr * weight_decay is nearly always one.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_factor_in_bf16 : narrow_adamw<bf16> {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    keep = load(store(keep));
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(decay_factor_in_bf16, "bf16")
