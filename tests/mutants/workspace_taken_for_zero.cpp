// Counts steps in a workspace that it takes for zero.
// law: matches_oracle
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct workspace_taken_for_zero : adamw {
  static constexpr std::uint64_t workspace_bytes = sizeof(std::int32_t);

  void step(const dg_step& s) override {
    hyperparameters h = read(s);
    h.step = std::max<std::int64_t>(1, h.step + *static_cast<std::int32_t*>(s.workspace));
    prepare(h);
    update_list(tensors(s));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(workspace_taken_for_zero)
