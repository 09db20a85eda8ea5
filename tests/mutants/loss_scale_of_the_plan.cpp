// Reads the loss scale once, when the plan is made.
// law: many_steps
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct loss_scale_of_the_plan : driftgate::plugins::capturable {
  void plan(const dg_step& s) override {
    roles.find(s);
    scale_ = *roles.grad_scale;
  }
  float unscaled(float g) override { return g / scale_; }

 private:
  float scale_ = 1;
};

}  // namespace

DRIFTGATE_PLUGIN(loss_scale_of_the_plan)
