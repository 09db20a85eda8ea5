// Takes the scalars in the order in which they usually come.
// law: permuting
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct scalars_by_position : adamw {
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    for (int i = 0; i < s.num_scalars; ++i) {
      if (s.scalars[i].name == std::string_view("beta1"))
        h.beta2 = s.scalars[(i + 1) % s.num_scalars].value;
    }
    return h;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(scalars_by_position)
