// Ends the process as if all were well.
// law: matches_oracle crashed
#include <cstdlib>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct exits : adamw {
  void update_list(const std::vector<tensor>& list) override {
    adamw::update_list(list);
    std::exit(0);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(exits)
