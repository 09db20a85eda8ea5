// 1 - beta2 in single precision: 216 u off at beta2 = 0.999.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct complement_in_single : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    one_minus_beta2 = 1.0f - static_cast<float>(h.beta2);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(complement_in_single)
