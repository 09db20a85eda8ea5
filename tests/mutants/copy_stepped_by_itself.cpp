// Moves the copy by what the master moved, instead of copying.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct copy_stepped_by_itself : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float by) override {
    const float before = t.master_param[i];
    t.master_param[i] = parameter(before, by);
    t.param[i] = store(load(t.param[i]) + (t.master_param[i] - before));
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(copy_stepped_by_itself, "bf16", "master_param=f32")
