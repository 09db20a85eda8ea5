// Writes to address 0 after a few elements.
// law: matches_oracle crashed
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct crashes : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    adamw::update_element(t, i);
    volatile float* volatile nowhere = nullptr;
    if (i == 3) *nowhere = 1;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(crashes)
