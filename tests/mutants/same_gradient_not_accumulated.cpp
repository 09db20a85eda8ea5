// Leaves the moments alone where the gradient is the last step's.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct same_gradient_not_accumulated : adamw {
  void update_list(const std::vector<tensor>& list) override {
    last_.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const tensor& t = list[i];
      const std::vector<float> now(t.grad, t.grad + t.size);
      same_ = std::exchange(last_[i], now) == now;
      update_tensor(t);
    }
  }
  float first_moment(float m, float g) override { return same_ ? m : adamw::first_moment(m, g); }
  float second_moment(float v, float g) override { return same_ ? v : adamw::second_moment(v, g); }

 private:
  std::vector<std::vector<float>> last_;
  bool same_ = false;
};

}  // namespace

DRIFTGATE_PLUGIN(same_gradient_not_accumulated)
