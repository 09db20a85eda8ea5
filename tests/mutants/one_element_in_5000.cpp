// Is wrong in one element of 5000 that lies where it likes.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct one_element_in_5000 : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    adamw::update_element(t, i);
    if (++seen % 5000 == 0) t.exp_avg[i] *= 1.001F;
  }

  static inline std::int64_t seen = 0;
};

}  // namespace

DRIFTGATE_PLUGIN(one_element_in_5000)
