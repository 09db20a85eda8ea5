// Keeps the step in half precision, which has no odd numbers beyond 2048.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct step_in_half : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    std::int64_t unit = 1;
    while (h.step / unit >= 2048) unit *= 2;
    h.step = h.step / unit * unit;
    return h;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(step_in_half)
