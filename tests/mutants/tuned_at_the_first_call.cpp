// An autotuner's first call runs another variant than all later ones; both are right.
// law: deterministic
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct tuned_at_the_first_call : adamw {
  void prepare(const hyperparameters& h) override {
    adamw::prepare(h);
    static int calls = 0;
    tuning_ = calls++ == 0;
  }
  float change(float m, float denominator) override {
    return tuning_ ? step_size * (m / denominator) : adamw::change(m, denominator);
  }

 private:
  bool tuning_ = false;
};

}  // namespace

DRIFTGATE_PLUGIN(tuned_at_the_first_call)
