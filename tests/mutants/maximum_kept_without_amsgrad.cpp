// Keeps the maximum when amsgrad is off, too.
// law: stray_writes
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct maximum_kept_without_amsgrad : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    adamw::update_element(t, i);
    t.max_exp_avg_sq[i] = largest(t.max_exp_avg_sq[i], t.exp_avg_sq[i]);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(maximum_kept_without_amsgrad)
