// A skipped step leaves the moments alone, and decays the parameter.
// law: matches_oracle
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct skipped_step_decays : driftgate::plugins::capturable {
  bool skips() override { return false; }
  void update_element(const driftgate::plugins::tensor& t, std::int64_t i) override {
    if (capturable::skips()) {
      t.param[i] *= keep;
    } else {
      capturable::update_element(t, i);
    }
  }
  void count(bool, const std::vector<driftgate::plugins::tensor>& list) override {
    capturable::count(capturable::skips(), list);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(skipped_step_decays)
