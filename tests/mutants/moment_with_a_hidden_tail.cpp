// Keeps the bits that rounding takes from exp_avg, where no checkpoint finds them.
// law: save_resume
#include <unordered_map>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct moment_with_a_hidden_tail : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    double& tail = tails_[t.exp_avg + i];
    const double g = gradient(t.grad[i]);
    const double m = beta1 * (t.exp_avg[i] + tail) + one_minus_beta1 * g;
    adamw::update_element(t, i);
    t.exp_avg[i] = static_cast<float>(m);
    tail = m - t.exp_avg[i];
  }

 private:
  std::unordered_map<const float*, double> tails_;
};

}  // namespace

DRIFTGATE_PLUGIN(moment_with_a_hidden_tail)
