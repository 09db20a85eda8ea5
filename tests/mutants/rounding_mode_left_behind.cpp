// Right, but the caller goes on with another rounding mode.
// law: stray_writes
#include <cfenv>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct rounding_mode_left_behind : adamw {
  void update_list(const std::vector<tensor>& list) override {
    adamw::update_list(list);
    std::fesetround(FE_TOWARDZERO);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(rounding_mode_left_behind)
