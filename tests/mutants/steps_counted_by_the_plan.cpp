// Counts its own calls, so that a resumed run starts at step 1 again.
// law: save_resume
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct steps_counted_by_the_plan : adamw {
  void prepare(const hyperparameters& h) override {
    hyperparameters counted = h;
    counted.step = ++calls_;
    adamw::prepare(counted);
  }

 private:
  std::int64_t calls_ = 0;
};

}  // namespace

DRIFTGATE_PLUGIN(steps_counted_by_the_plan)
