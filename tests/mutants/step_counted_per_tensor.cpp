// One counter for all tensors, counted up at each: the n-th tensor is n - 1 steps ahead.
// law: permuting
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct step_counted_per_tensor : adamw {
  void update_list(const std::vector<tensor>& list) override {
    hyperparameters h = given;
    for (const tensor& t : list) {
      adamw::prepare(h);
      update_tensor(t);
      ++h.step;
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(step_counted_per_tensor)
