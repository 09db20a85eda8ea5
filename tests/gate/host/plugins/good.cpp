// Right kernels, some with unusual habits that are allowed.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "tests/gate/host/plugins/plugin.hpp"

namespace {

int noisy(const dg_step* step, void*) {
  std::printf("{\"verdict\": \"verified\"}\n");
  std::fflush(stdout);
  std::fprintf(stderr, "more noise\n");
  return plugin::descend(step, nullptr);
}

// Writes down where its tensors are and which process it is.
int tell_addresses(const dg_step* step, void*) {
  const std::int64_t k = step->step - 1;
  auto* address = plugin::data<double>(step, "param", 0);
  address[k] = static_cast<double>(reinterpret_cast<std::uintptr_t>(address));
  plugin::data<double>(step, "exp_avg", 0)[k] = getpid();
  return 0;
}

// Writes down what its arguments look like.
int tell_arguments(const dg_step* step, void*) {
  auto* told = plugin::data<double>(step, "param", 0);
  told[0] = step->num_lists == 2 && step->lists[0].role == std::string_view("exp_avg");
  told[1] = static_cast<double>(step->seed);
  told[2] = step->scalars[0].value;
  told[3] = step->scalars[1].name == std::string_view("weight_decay");
  const DLTensor& tensor = plugin::list(step, "param").tensors[0];
  told[4] = tensor.ndim == 1 && tensor.strides == nullptr && tensor.byte_offset == 0 &&
            tensor.dtype.code == kDLFloat && tensor.dtype.bits == 64 && tensor.dtype.lanes == 1 &&
            tensor.device.device_type == kDLCPU;
  told[5] = plugin::list(step, "param").tensors[1].data == nullptr;
  told[6] = plugin::list(step, "param").tensors[2].data == nullptr;
  told[7] = static_cast<double>(reinterpret_cast<std::uintptr_t>(told) % 256);
  return 0;
}

// Keeps a counter in its workspace, which prepare clears.
std::uint64_t workspace_bytes(const dg_step*) {
  return sizeof(float);
}
int clear_workspace(const dg_step* step, void** plan) {
  std::memset(step->workspace, 0, step->workspace_bytes);
  *plan = step->workspace;
  return 0;
}
int count_steps(const dg_step* step, void* plan) {
  auto* counter = static_cast<float*>(plan);
  *counter += 1;
  plugin::data<float>(step, "param", 0)[0] = *counter;
  return 0;
}

dg_kernel counting() {
  dg_kernel table = plugin::kernel("counts", count_steps);
  table.workspace_bytes = workspace_bytes;
  table.prepare = clear_workspace;
  return table;
}

const dg_kernel kernels[] = {
    plugin::kernel("descends", plugin::descend),
    plugin::kernel("noisy", noisy),
    plugin::kernel("tells_addresses", tell_addresses, "param=f64 exp_avg=f64"),
    plugin::kernel("tells_arguments", tell_arguments, "param=f64 exp_avg=f64"),
    counting(),
};

}  // namespace

EXPORT_KERNELS(kernels)
