// Takes the first list for the parameters, the second for the gradients, and so on.
// law: permuting
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

dg_kernel by_position() {
  dg_kernel k = kernel<adamw>(DRIFTGATE_PLUGIN_NAME);
  k.step = [](const dg_step* s, void* plan) {
    static const char* const names[] = {"param", "grad", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
    std::vector<dg_tensors> lists(s->lists, s->lists + s->num_lists);
    for (std::size_t i = 0; i < lists.size(); ++i) lists[i].role = names[i];
    dg_step renamed = *s;
    renamed.lists = lists.data();
    adamw& rule = *static_cast<adamw*>(plan);
    rule.prepare(rule.read(renamed));
    rule.update_list(tensors(renamed));
    return 0;
  };
  return k;
}

}  // namespace

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, std::int32_t* count) {
  static const dg_kernel only = by_position();
  *kernels = &only;
  *count = 1;
  return 0;
}
