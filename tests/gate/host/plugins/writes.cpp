// Kernels that touch what is not theirs. Each descends rightly, too.
#include <cfenv>

#include "tests/gate/host/plugins/plugin.hpp"

namespace {

using plugin::data;
using plugin::descend;
using plugin::size;

int past_the_end(const dg_step* step, void*) {
  data<float>(step, "param", 0)[size(step, 0)] = 1;
  return descend(step, nullptr);
}
int before_the_start(const dg_step* step, void*) {
  data<float>(step, "param", 0)[-1] = 1;
  return descend(step, nullptr);
}
int in_the_gap(const dg_step* step, void*) {
  data<float>(step, "grad", 1)[size(step, 1) + 20] = 1;
  return descend(step, nullptr);
}
int reads_past_the_end(const dg_step* step, void*) {
  const volatile float beyond = data<float>(step, "grad", 0)[size(step, 0)];
  static_cast<void>(beyond);
  return descend(step, nullptr);
}
int nothing(const dg_step*, void*) {
  return 0;
}

// Keeps the pointers of the first plan it ever made.
int stale(const dg_step* step, void*) {
  static float* const first = data<float>(step, "param", 0);
  *first += 1;
  return 0;
}

std::uint64_t four_bytes(const dg_step*) {
  return 4;
}
int past_the_workspace(const dg_step* step, void*) {
  static_cast<char*>(step->workspace)[step->workspace_bytes] = 1;
  return descend(step, nullptr);
}
std::uint64_t endless(const dg_step*) {
  return ~std::uint64_t{0};
}

std::uint64_t measures_past_the_end(const dg_step* step) {
  data<float>(step, "param", 0)[size(step, 0)] = 1;
  return 4;
}
std::uint64_t measures_into_a_tensor(const dg_step* step) {
  data<float>(step, "param", 1)[2] = 1.5F;
  return 4;
}

int rounds_down(const dg_step* step, void*) {
  std::fesetround(FE_DOWNWARD);
  return descend(step, nullptr);
}

// Has the first parameter for a plan, and writes it when the plan is released.
dg_kernel writing_at_release() {
  dg_kernel table = plugin::kernel("writes_at_release", descend);
  table.prepare = [](const dg_step* step, void** plan) {
    *plan = data<float>(step, "param", 0);
    return 0;
  };
  table.release = [](void* plan) { static_cast<float*>(plan)[1] = 1; };
  return table;
}

dg_kernel with_workspace(const char* name, plugin::step_function step,
                         std::uint64_t (*bytes)(const dg_step*)) {
  dg_kernel table = plugin::kernel(name, step);
  table.workspace_bytes = bytes;
  return table;
}

const dg_kernel kernels[] = {
    plugin::kernel("past_the_end", past_the_end),
    plugin::kernel("before_the_start", before_the_start),
    plugin::kernel("in_the_gap", in_the_gap),
    plugin::kernel("reads_past_the_end", reads_past_the_end),
    plugin::kernel("nothing", nothing),
    plugin::kernel("stale", stale),
    plugin::kernel("rounds_down", rounds_down),
    writing_at_release(),
    with_workspace("past_the_workspace", past_the_workspace, four_bytes),
    with_workspace("endless_workspace", plugin::descend, endless),
    with_workspace("measures_past_the_end", plugin::descend, measures_past_the_end),
    with_workspace("measures_into_a_tensor", plugin::descend, measures_into_a_tensor),
};

}  // namespace

EXPORT_KERNELS(kernels)
