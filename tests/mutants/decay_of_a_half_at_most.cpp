// Lets no step decay a parameter by more than a half.
// law: matches_oracle
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_of_a_half_at_most : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    keep = std::max(keep, 0.5F);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_of_a_half_at_most)
