// Casts the moments to the parameter's type before the update uses them.
// law: matches_oracle
#include "tests/mutants/narrow_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct moments_in_the_parameters_type : narrow_adamw<bf16> {
  float used_moment(float x) override { return load(store(x)); }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(moments_in_the_parameters_type, "bf16")
