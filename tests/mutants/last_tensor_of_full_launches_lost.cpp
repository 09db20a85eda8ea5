// Loses the last tensor of a list that fills its launches of 64.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct last_tensor_of_full_launches_lost : adamw {
  void update_list(const std::vector<tensor>& list) override {
    std::vector<tensor> launched = list;
    if (!list.empty() && list.size() % 64 == 0) launched.pop_back();
    adamw::update_list(launched);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(last_tensor_of_full_launches_lost)
