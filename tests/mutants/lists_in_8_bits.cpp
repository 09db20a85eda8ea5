// Has eight bits for the number of tensors.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct lists_in_8_bits : adamw {
  void update_list(const std::vector<tensor>& list) override {
    const auto count = static_cast<std::uint8_t>(list.size());
    for (std::size_t i = 0; i < count; ++i) update_tensor(list[i]);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(lists_in_8_bits)
