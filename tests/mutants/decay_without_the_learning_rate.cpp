// Decays by weight_decay alone.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_without_the_learning_rate : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    keep = static_cast<float>(1 - h.weight_decay);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_without_the_learning_rate)
