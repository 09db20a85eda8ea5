// Refreshes its copy of a gradient only if the first, the middle or the last element is new.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct gradient_staged_by_three_elements : adamw {
  void update_list(const std::vector<tensor>& list) override {
    staged_.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      tensor t = list[i];
      std::vector<float>& copy = staged_[i];
      const auto differs = [&](std::int64_t k) {
        return copy[static_cast<std::size_t>(k)] != t.grad[k];
      };
      if (t.size > 0 &&
          (copy.empty() || differs(0) || differs(t.size / 2) || differs(t.size - 1))) {
        copy.assign(t.grad, t.grad + t.size);
      }
      t.grad = copy.data();
      update_tensor(t);
    }
  }

 private:
  std::vector<std::vector<float>> staged_;
};

}  // namespace

DRIFTGATE_PLUGIN(gradient_staged_by_three_elements)
