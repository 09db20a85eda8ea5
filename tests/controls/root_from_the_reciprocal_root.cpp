// sqrt(v) as v (1 / sqrt(v)), for machines whose fast instruction is the reciprocal root. That is
// up to 3 u off, less than 3 ulp, and the contract says so.
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct root_from_the_reciprocal_root : adamw {
  float denominator(float v) override {
    const bool ends = v == 0 || std::isinf(v);
    const float root = ends ? v : v * (1.0F / std::sqrt(v));
    return root / root_correction2 + eps;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(root_from_the_reciprocal_root, "sqrt=ulp:3")
