// Steps the copy only.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct master_not_updated : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float by) override {
    t.param[i] = store(parameter(t.master_param[i], by));
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(master_not_updated, "bf16", "master_param=f32")
