// Adam with L2 regularization, which is not AdamW: the decay passes through the moments.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_in_the_gradient : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    decay_ = static_cast<float>(given.weight_decay) * t.param[i];
    adamw::update_element(t, i);
  }
  float gradient(float g) override { return adamw::gradient(g) + decay_; }
  float parameter(float p, float change) override { return p - change; }

 private:
  float decay_ = 0;
};

}  // namespace

DRIFTGATE_PLUGIN(decay_in_the_gradient)
