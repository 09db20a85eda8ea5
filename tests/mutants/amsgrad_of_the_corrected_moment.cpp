// amsgrad keeps the maximum of v / (1 - beta2^t).
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct amsgrad_of_the_corrected_moment : adamw {
  float largest(float max_v, float v) override {
    return adamw::largest(max_v, static_cast<float>(v / correction2));
  }
};

}  // namespace

DRIFTGATE_PLUGIN(amsgrad_of_the_corrected_moment)
