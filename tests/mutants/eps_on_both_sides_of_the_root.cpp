// Adds eps under the root and again outside.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct eps_on_both_sides_of_the_root : adamw {
  float denominator(float v) override { return adamw::denominator(v + eps); }
};

}  // namespace

DRIFTGATE_PLUGIN(eps_on_both_sides_of_the_root)
