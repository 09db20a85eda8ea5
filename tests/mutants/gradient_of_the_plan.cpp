// Copies the gradients when it makes its plan, and steps with these from then on.
// law: save_resume
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct gradient_of_the_plan : adamw {
  void update_list(const std::vector<tensor>& list) override {
    if (kept_.empty()) {
      for (const tensor& t : list) kept_.emplace_back(t.grad, t.grad + t.size);
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      tensor t = list[i];
      t.grad = kept_[i].data();
      update_tensor(t);
    }
  }

 private:
  std::vector<std::vector<float>> kept_;
};

}  // namespace

DRIFTGATE_PLUGIN(gradient_of_the_plan)
