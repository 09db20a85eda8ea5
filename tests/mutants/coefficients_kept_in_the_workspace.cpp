// Finds coefficients in the workspace, and takes them where its mark, the step and lr agree.
// law: many_steps
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct kept {
  std::uint64_t mark;
  hyperparameters of;
};

struct coefficients_kept_in_the_workspace : adamw {
  static constexpr std::uint64_t workspace_bytes = sizeof(kept);

  hyperparameters read(const dg_step& s) override {
    const hyperparameters now = adamw::read(s);
    kept& found = *static_cast<kept*>(s.workspace);
    constexpr std::uint64_t mark = 0x6b657074;
    if (found.mark != mark || found.of.step != now.step || found.of.lr != now.lr) {
      found = {mark, now};
    }
    return found.of;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(coefficients_kept_in_the_workspace)
