// Stores the corrected first moment.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct corrected_moment_written_back : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    adamw::update_element(t, i);
    t.exp_avg[i] = static_cast<float>(t.exp_avg[i] / correction1);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(corrected_moment_written_back)
