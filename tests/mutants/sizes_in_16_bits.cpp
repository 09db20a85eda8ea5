// A size that wraps, as 2^32 elements do in 32 bits.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct sizes_in_16_bits : adamw {
  void update_tensor(const tensor& t) override {
    tensor wrapped = t;
    wrapped.size = static_cast<std::uint16_t>(t.size);
    adamw::update_tensor(wrapped);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(sizes_in_16_bits)
