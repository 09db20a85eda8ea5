// Takes the gradient of the neighbour where two tensors have one size: a key without position.
// law: matches_oracle
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct equal_tensors_mixed_up : adamw {
  void update_list(const std::vector<tensor>& list) override {
    for (std::size_t i = 0; i < list.size(); ++i) {
      tensor t = list[i];
      if (i > 0 && list[i - 1].size == t.size) t.grad = list[i - 1].grad;
      update_tensor(t);
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(equal_tensors_mixed_up)
