// Keeps the weight decay that prepare was given.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct decay_of_the_plan : adamw {
  void plan(const dg_step& s) override { weight_decay_ = adamw::read(s).weight_decay; }
  hyperparameters read(const dg_step& s) override {
    hyperparameters h = adamw::read(s);
    h.weight_decay = weight_decay_;
    return h;
  }

 private:
  double weight_decay_ = 0;
};

}  // namespace

DRIFTGATE_PLUGIN(decay_of_the_plan, "bits=none")
