// sqrt(v / (1 - beta2^t) + eps).
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct eps_inside_the_root : adamw {
  float denominator(float v) override {
    return std::sqrt(v / (root_correction2 * root_correction2) + eps);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(eps_inside_the_root)
