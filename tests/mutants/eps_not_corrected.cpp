// The paper's shorter order of computation with eps for eps * sqrt(1 - beta2^t).
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct eps_not_corrected : adamw {
  float denominator(float v) override { return (std::sqrt(v) + eps) / root_correction2; }
};

}  // namespace

DRIFTGATE_PLUGIN(eps_not_corrected)
