// Takes the first list for the parameters, the second for the gradients, and so on.
// law: permuting
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct roles_by_position : adamw {
  void step(const dg_step& s) override {
    static const char* const names[] = {"param", "grad", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
    std::vector<dg_tensors> lists(s.lists, s.lists + s.num_lists);
    for (std::size_t i = 0; i < lists.size(); ++i) lists[i].role = names[i];
    dg_step renamed = s;
    renamed.lists = lists.data();
    adamw::step(renamed);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(roles_by_position)
