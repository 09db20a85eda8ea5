// Ignores the dimensions of a tensor past the third.
// law: every_element_written unwritten
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct three_dimensions_at_most : adamw {
  void step(const dg_step& s) override {
    prepare(read(s));
    std::vector<tensor> list = tensors(s);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const DLTensor& t = s.lists[0].tensors[i];
      for (int d = 3; d < t.ndim; ++d) list[i].size /= std::max<std::int64_t>(t.shape[d], 1);
    }
    update_list(list);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(three_dimensions_at_most)
