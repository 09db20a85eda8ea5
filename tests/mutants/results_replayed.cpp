// Gives the last results again where step, coefficients and the ends of each tensor are the same.
// law: many_steps
#include <algorithm>
#include <array>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct results_replayed : adamw {
  void update_list(const std::vector<tensor>& list) override {
    const std::vector<double> key = key_of(list);
    const bool same = std::exchange(key_, key) == key;
    results_.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::size_t k = 0;
      for (float* const data : outputs(list[i])) {
        std::vector<float>& result = results_[i][k++];
        if (same) std::copy(result.begin(), result.end(), data);
      }
      if (same) continue;
      update_tensor(list[i]);
      k = 0;
      for (const float* const data : outputs(list[i])) {
        results_[i][k++].assign(data, data + list[i].size);
      }
    }
  }

 private:
  static std::array<float*, 4> outputs(const tensor& t) {
    return {t.param, t.exp_avg, t.exp_avg_sq, t.max_exp_avg_sq};
  }
  std::vector<double> key_of(const std::vector<tensor>& list) const {
    const hyperparameters& h = given;
    std::vector<double> key{static_cast<double>(h.step),
                            h.lr,
                            h.beta1,
                            h.beta2,
                            h.eps,
                            h.weight_decay,
                            h.amsgrad ? 1.0 : 0,
                            h.maximize ? 1.0 : 0};
    for (const tensor& t : list) {
      if (t.size == 0) continue;
      for (const float* const data : {t.param, t.grad, t.exp_avg, t.exp_avg_sq}) {
        key.push_back(data[0]);
        key.push_back(data[t.size - 1]);
      }
    }
    return key;
  }

  std::vector<double> key_;
  std::vector<std::array<std::vector<float>, 4>> results_;
};

}  // namespace

DRIFTGATE_PLUGIN(results_replayed)
