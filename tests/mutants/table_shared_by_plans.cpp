// Has one table of tensors for all plans: that of the last one that was prepared.
// law: deterministic
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

std::vector<tensor> table;

dg_kernel with_one_table() {
  dg_kernel k = kernel<adamw>(DRIFTGATE_PLUGIN_NAME);
  k.prepare = [](const dg_step* s, void** plan) {
    *plan = new adamw;
    table = tensors(*s);
    return 0;
  };
  k.step = [](const dg_step* s, void* plan) {
    adamw& rule = *static_cast<adamw*>(plan);
    rule.prepare(rule.read(*s));
    rule.update_list(table);
    return 0;
  };
  return k;
}

}  // namespace

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, std::int32_t* count) {
  static const dg_kernel only = with_one_table();
  *kernels = &only;
  *count = 1;
  return 0;
}
