// Kernels that do nothing, whose contract's words come from the environment: DG_NAME, DG_RULE,
// DG_DEVICE, DG_DTYPES, DG_OPTIONS, DG_NUMERICS and DG_BUDGET, and how many there are (DG_COUNT).
// A second one is called "other", and is for the host.
#include <cstdlib>

#include "driftgate/kernel.h"

namespace {

int nothing(const dg_step*, void*) {
  return 0;
}

const char* word(const char* variable, const char* otherwise) {
  const char* given = std::getenv(variable);
  return given == nullptr ? otherwise : given;
}

}  // namespace

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count) {
  static dg_kernel table[2]{};
  table[0].abi_version = DG_ABI_VERSION;
  table[0].struct_bytes = sizeof table[0];
  table[0].name = word("DG_NAME", "words");
  table[0].rule = word("DG_RULE", "adamw");
  table[0].device = word("DG_DEVICE", "cpu");
  table[0].dtypes = word("DG_DTYPES", "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32");
  table[0].options = word("DG_OPTIONS", "");
  table[0].numerics = word("DG_NUMERICS", "");
  table[0].budget = word("DG_BUDGET", "");
  table[0].step = nothing;
  table[1] = table[0];
  table[1].name = "other";
  table[1].device = "cpu";
  *kernels = table;
  *count = std::atoi(word("DG_COUNT", "1"));
  return 0;
}
