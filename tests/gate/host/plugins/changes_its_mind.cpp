// Another contract each time it is loaded: it counts in the file that COUNTER names.
#include <cstdio>
#include <cstdlib>

#include "tests/gate/host/plugins/plugin.hpp"

extern "C" int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count) {
  std::FILE* counter = std::fopen(std::getenv("COUNTER"), "a+");
  std::fputc('x', counter);
  const bool is_first = std::ftell(counter) == 1;
  std::fclose(counter);
  static dg_kernel table;
  table = plugin::kernel("descends", plugin::descend);
  table.numerics = is_first ? "bits=reproducible" : "bits=none";
  *kernels = &table;
  *count = 1;
  return 0;
}
