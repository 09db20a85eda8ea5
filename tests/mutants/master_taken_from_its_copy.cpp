// Takes a copy that is not its master's rounding for edited weights, and steps from there.
// law: influence
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct master_taken_from_its_copy : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float by) override {
    const bool edited = t.param[i].bits != store(t.master_param[i]).bits;
    if (edited) t.master_param[i] = load(t.param[i]);
    narrow_adamw::update_parameter(t, i, by);
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(master_taken_from_its_copy, "bf16", "master_param=f32")
