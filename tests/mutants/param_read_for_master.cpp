// Steps from the rounded copy, and writes the master.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct param_read_for_master : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float by) override {
    t.master_param[i] = parameter(load(t.param[i]), by);
    t.param[i] = store(t.master_param[i]);
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(param_read_for_master, "bf16", "master_param=f32")
