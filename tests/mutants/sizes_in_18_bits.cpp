// Has 18 bits for a size.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct sizes_in_18_bits : adamw {
  void update_tensor(const tensor& t) override {
    tensor part = t;
    part.size %= std::int64_t{1} << 18;
    adamw::update_tensor(part);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(sizes_in_18_bits)
