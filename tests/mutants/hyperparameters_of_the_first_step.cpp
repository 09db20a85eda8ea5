// Keeps the hyperparameters of a plan's first step, as a captured graph does.
// law: save_resume
#include <optional>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct hyperparameters_of_the_first_step : adamw {
  hyperparameters read(const dg_step& s) override {
    const hyperparameters now = adamw::read(s);
    if (!first_) first_ = now;
    hyperparameters kept = *first_;
    kept.step = now.step;
    return kept;
  }

 private:
  std::optional<hyperparameters> first_;
};

}  // namespace

DRIFTGATE_PLUGIN(hyperparameters_of_the_first_step)
