// A skipped step is one with a zero gradient from the second tensor on: its moments decay.
// law: special_values
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct skipped_step_steps_by_zero : driftgate::plugins::capturable {
  bool skips() override { return false; }
  void update_list(const std::vector<driftgate::plugins::tensor>& list) override {
    for (const driftgate::plugins::tensor& t : list) {
      if (!capturable::skips() || &t != list.data()) update_tensor(t);
    }
  }
  float unscaled(float g) override { return capturable::skips() ? 0 : capturable::unscaled(g); }
  void count(bool, const std::vector<driftgate::plugins::tensor>& list) override {
    capturable::count(capturable::skips(), list);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(skipped_step_steps_by_zero)
