// Writes behind the last tensor of a list of more than 64.
// law: stray_writes
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct past_the_end_of_long_lists : adamw {
  void update_list(const std::vector<tensor>& list) override {
    adamw::update_list(list);
    const tensor& last = list.back();
    if (list.size() > 64 && last.param != nullptr) last.param[last.size] = 0;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(past_the_end_of_long_lists)
