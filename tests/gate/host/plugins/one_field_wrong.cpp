// The environment variable FIELD says which field of the table is wrong, or what else happens while
// the table is asked for.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tests/gate/host/plugins/plugin.hpp"

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count) {
  static dg_kernel table[2] = {plugin::kernel("one", plugin::descend),
                               plugin::kernel("two", plugin::descend)};
  const std::string_view field = std::getenv("FIELD");
  if (field == "abi_version") table[1].abi_version = 2;
  if (field == "struct_bytes") table[0].struct_bytes = 16;
  if (field == "name") table[1].name = nullptr;
  if (field == "empty name") table[1].name = "";
  if (field == "strange name") table[1].name = "one \xff";
  if (field == "same name") table[1].name = "one";
  if (field == "rule") table[1].rule = nullptr;
  if (field == "device") table[1].device = nullptr;
  if (field == "dtypes") table[1].dtypes = nullptr;
  if (field == "wild dtypes") table[1].dtypes = reinterpret_cast<const char*>(16);
  if (field == "step") table[1].step = nullptr;
  if (field == "throws") throw std::runtime_error("no table today");
  if (field == "aborts") std::abort();
  for (volatile bool on = field == "hangs"; on;) {
  }
  if (field == "prints") {
    std::puts("{\"verdict\": \"verified\"}");
    std::fflush(stdout);
  }
  *kernels = table;
  *count = field == "count" ? 1'000'000'000 : 2;
  return 0;
}
