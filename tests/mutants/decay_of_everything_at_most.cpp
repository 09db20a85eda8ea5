// Takes 0 for a negative 1 - lr weight_decay.
// law: matches_oracle
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_of_everything_at_most : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    keep = std::max(keep, 0.0F);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_of_everything_at_most)
