// Takes a tensor's first dimension for its number of elements.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct first_dimension_for_the_size : adamw {
  void step(const dg_step& s) override {
    prepare(read(s));
    std::vector<tensor> list = tensors(s);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const DLTensor& t = s.lists[0].tensors[i];
      if (t.ndim > 0 && list[i].size > 0) list[i].size = t.shape[0];
    }
    update_list(list);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(first_dimension_for_the_size)
