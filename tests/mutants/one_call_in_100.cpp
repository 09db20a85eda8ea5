// Is wrong in one call of a hundred.
// law: deterministic
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct one_call_in_100 : adamw {
  void update_list(const std::vector<tensor>& list) override {
    static int calls = 0;
    adamw::update_list(list);
    if (++calls % 100 != 0) return;
    for (const tensor& t : list) {
      for (std::int64_t i = 0; i < t.size; ++i) t.param[i] *= 1.001F;
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(one_call_in_100)
