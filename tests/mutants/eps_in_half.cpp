// Keeps eps in half precision, where 1e-8 is 0.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct eps_in_half : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    if (h.eps < 0x1p-25) eps = 0;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(eps_in_half)
