// Steps the tail behind the last four once more, as overlapping vectors do.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct last_elements_twice : adamw {
  void update_tensor(const tensor& t) override {
    adamw::update_tensor(t);
    for (std::int64_t i = t.size / 4 * 4; i < t.size; ++i) update_element(t, i);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(last_elements_twice)
