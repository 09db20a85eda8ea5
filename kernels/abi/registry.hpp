// The kernels that are linked into this program. Generated units register them
// (cmake/driftgate_kernels).
#pragma once

#include <vector>

#include "driftgate/kernel.h"

namespace driftgate::abi {

// Registers a kernel, which must outlive the program's main, from a static object.
struct registrar {
  explicit registrar(const dg_kernel& kernel);
};

// In the order of their names, the host's before the device's.
std::vector<const dg_kernel*> registered_kernels();

}  // namespace driftgate::abi
