// Goes on with its own copy of the first moment where one step follows another.
// law: many_steps
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct first_moment_kept_in_the_plan : adamw {
  void update_list(const std::vector<tensor>& list) override {
    const bool follows = given.step == last_step_ + 1;
    kept_.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const tensor& t = list[i];
      if (follows) std::copy(kept_[i].begin(), kept_[i].end(), t.exp_avg);
      update_tensor(t);
      kept_[i].assign(t.exp_avg, t.exp_avg + t.size);
    }
    last_step_ = given.step;
  }

 private:
  std::int64_t last_step_ = 0;
  std::vector<std::vector<float>> kept_;
};

}  // namespace

DRIFTGATE_PLUGIN(first_moment_kept_in_the_plan)
