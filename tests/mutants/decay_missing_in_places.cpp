// One element of 1024 does not decay.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_missing_in_places : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    const float before = keep;
    if (i % 1024 == 1023) keep = 1;
    adamw::update_element(t, i);
    keep = before;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(decay_missing_in_places)
