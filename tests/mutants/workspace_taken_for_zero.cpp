// Counts steps in a workspace that it takes for zero.
// law: matches_oracle
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

dg_kernel with_workspace() {
  dg_kernel k = kernel<adamw>(DRIFTGATE_PLUGIN_NAME);
  k.workspace_bytes = [](const dg_step*) -> std::uint64_t { return sizeof(std::int32_t); };
  k.step = [](const dg_step* s, void* plan) {
    adamw& rule = *static_cast<adamw*>(plan);
    hyperparameters h = rule.read(*s);
    h.step = std::max<std::int64_t>(1, h.step + *static_cast<std::int32_t*>(s->workspace));
    rule.prepare(h);
    rule.update_list(tensors(*s));
    return 0;
  };
  return k;
}

}  // namespace

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, std::int32_t* count) {
  static const dg_kernel only = with_workspace();
  *kernels = &only;
  *count = 1;
  return 0;
}
