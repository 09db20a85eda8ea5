// Never returns from a tensor of more than a few elements.
// law: matches_oracle timed_out
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct hangs : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    adamw::update_element(t, i);
    volatile bool forever = i == 3;
    while (forever) {
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(hangs)
