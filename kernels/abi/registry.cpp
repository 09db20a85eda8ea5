#include "kernels/abi/registry.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace driftgate::abi {
namespace {

// A function's static is there before the first registrar needs it.
std::vector<const dg_kernel*>& kernels() {
  static std::vector<const dg_kernel*> all;
  return all;
}

}  // namespace

registrar::registrar(const dg_kernel& kernel) {
  kernels().push_back(&kernel);
}

std::vector<const dg_kernel*> registered_kernels() {
  // Sorted, since the order of static objects of different units is the linker's.
  std::vector<const dg_kernel*> sorted = kernels();
  const auto key = [](const dg_kernel* kernel) {
    return std::pair<std::string_view, std::string_view>(kernel->name, kernel->device);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const dg_kernel* a, const dg_kernel* b) { return key(a) < key(b); });
  return sorted;
}

}  // namespace driftgate::abi
