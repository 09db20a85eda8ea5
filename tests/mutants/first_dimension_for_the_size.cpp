// Takes a tensor's first dimension for its number of elements.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

dg_kernel by_rows() {
  dg_kernel k = kernel<adamw>(DRIFTGATE_PLUGIN_NAME);
  k.step = [](const dg_step* s, void* plan) {
    adamw& rule = *static_cast<adamw*>(plan);
    rule.prepare(rule.read(*s));
    std::vector<tensor> list = tensors(*s);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const DLTensor& t = s->lists[0].tensors[i];
      if (t.ndim > 0) list[i].size = t.shape[0];
    }
    rule.update_list(list);
    return 0;
  };
  return k;
}

}  // namespace

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, std::int32_t* count) {
  static const dg_kernel only = by_rows();
  *kernels = &only;
  *count = 1;
  return 0;
}
