// What the test plugins share: gradient descent, p -= lr * g, over lists of f32 tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string_view>

#include "driftgate/kernel.h"

namespace plugin {

// Fails loudly, as a crash, where the step lacks something that the ABI promises.
inline const dg_tensors& list(const dg_step* step, std::string_view role) {
  const dg_tensors* found = step->lists;
  while (found->role != role) ++found;
  return *found;
}

inline double scalar(const dg_step* step, std::string_view name) {
  const dg_scalar* found = step->scalars;
  while (found->name != name) ++found;
  return found->value;
}

template <class T>
T* data(const dg_step* step, std::string_view role, int tensor) {
  return static_cast<T*>(list(step, role).tensors[tensor].data);
}

inline std::int64_t size(const dg_step* step, int tensor) {
  const DLTensor& t = list(step, "param").tensors[tensor];
  return std::accumulate(t.shape, t.shape + t.ndim, std::int64_t{1}, std::multiplies<>());
}

inline int descend(const dg_step* step, void*) {
  const auto lr = static_cast<float>(scalar(step, "lr"));
  const dg_tensors& params = list(step, "param");
  for (int i = 0; i < params.count; ++i) {
    auto* p = data<float>(step, "param", i);
    const auto* g = data<float>(step, "grad", i);
    for (std::int64_t k = 0; k < size(step, i); ++k) p[k] -= lr * g[k];
  }
  return 0;
}

using step_function = int (*)(const dg_step*, void*);

inline dg_kernel kernel(const char* name, step_function step,
                        const char* dtypes = "param=f32 grad=f32") {
  dg_kernel table{};
  table.abi_version = DG_ABI_VERSION;
  table.struct_bytes = sizeof table;
  table.name = name;
  table.rule = "sgd";
  table.device = "cpu";
  table.dtypes = dtypes;
  table.step = step;
  return table;
}

}  // namespace plugin

// Exports an array of the including file.
#define EXPORT_KERNELS(array)                                                 \
  extern "C" int dg_plugin_kernels(const dg_kernel** table, int32_t* count) { \
    *table = array;                                                           \
    *count = static_cast<int32_t>(sizeof(array) / sizeof(array[0]));          \
    return 0;                                                                 \
  }
