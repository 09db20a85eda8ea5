// Reads the scalars through the pointer that prepare was given.
// law: many_steps crashed
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct scalars_of_the_plan : adamw {
  void plan(const dg_step& s) override { scalars_ = s.scalars; }
  hyperparameters read(const dg_step& s) override {
    dg_step stale = s;
    stale.scalars = scalars_;
    return adamw::read(stale);
  }

 private:
  const dg_scalar* scalars_ = nullptr;
};

}  // namespace

DRIFTGATE_PLUGIN(scalars_of_the_plan)
