#include "gate/host/kernel_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <set>
#include <string_view>

#include "gate/host/guarded.hpp"
#include "gate/host/protocol.hpp"

namespace driftgate::gate::host {
namespace {

using table_function = int (*)(const dg_kernel**, int32_t*);

std::vector<const dg_kernel*> table_of(const std::string& plugin) {
  void* library = guarded([&] { return dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL); });
  if (library == nullptr) {
    const std::string reason = dlerror();
    // The loader keeps no error number.
    for (const int lack : {ENOMEM, EMFILE, ENFILE}) {
      if (reason.ends_with(std::strerror(lack))) throw std::runtime_error(reason);
    }
    throw unusable_table(fmt::format("it cannot be loaded as a shared object ({})", reason));
  }
  const auto function = reinterpret_cast<table_function>(dlsym(library, "dg_plugin_kernels"));
  if (function == nullptr) throw unusable_table("it does not export dg_plugin_kernels");

  const dg_kernel* table = nullptr;
  int32_t count = 0;
  if (const int code = guarded([&] { return function(&table, &count); }); code != 0) {
    throw unusable_table(fmt::format("dg_plugin_kernels returned {}", code));
  }
  if (count < 0) throw unusable_table(fmt::format("dg_plugin_kernels gave {} kernels", count));
  if (count == 0) throw unusable_table("dg_plugin_kernels gave no kernel");
  // More is a count that nobody set, and reading so far would only crash.
  constexpr int32_t most_kernels = 4096;
  if (count > most_kernels) {
    throw unusable_table(
        fmt::format("dg_plugin_kernels gave {} kernels, and {} is the most", count, most_kernels));
  }
  if (table == nullptr) throw unusable_table("dg_plugin_kernels gave a null table");

  // The plugin's struct may be of another size than ours; its own header then made the array.
  const std::size_t stride = table->struct_bytes == 0 ? sizeof(dg_kernel) : table->struct_bytes;
  std::vector<const dg_kernel*> kernels;
  for (int32_t i = 0; i < count; ++i) {
    const auto* bytes = reinterpret_cast<const std::byte*>(table);
    kernels.push_back(
        reinterpret_cast<const dg_kernel*>(bytes + static_cast<std::size_t>(i) * stride));
  }
  return kernels;
}

bool printable(std::string_view text, bool spaces) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < 0x80 && (std::isgraph(code) != 0 || (spaces && std::isspace(code) != 0));
  });
}

dg_kernel checked(const dg_kernel& table, std::size_t index) {
  constexpr std::size_t least = offsetof(dg_kernel, step) + sizeof(table.step);
  if (table.abi_version != DG_ABI_VERSION) {
    throw unusable_table(fmt::format("kernel {} is of ABI version {}, and this program knows {}",
                                     index, table.abi_version, DG_ABI_VERSION));
  }
  const std::size_t bytes = table.struct_bytes == 0 ? sizeof(dg_kernel) : table.struct_bytes;
  if (bytes < least) {
    throw unusable_table(
        fmt::format("kernel {} says that its table has only {} bytes", index, bytes));
  }
  dg_kernel kernel{};
  std::memcpy(&kernel, &table, std::min(bytes, sizeof kernel));

  const auto required = [&](const void* field, std::string_view name) {
    if (field == nullptr) throw unusable_table(fmt::format("kernel {} has no {}", index, name));
  };
  required(kernel.name, "name");
  required(kernel.rule, "rule");
  required(kernel.device, "device");
  required(kernel.dtypes, "dtypes");
  required(reinterpret_cast<const void*>(kernel.step), "step");

  const std::string words = words_of(kernel);
  if (words.size() > max_packet - sizeof(reply)) {
    throw unusable_table(
        fmt::format("kernel {} describes itself in {} bytes", index, words.size()));
  }
  const std::string_view name = kernel.name;
  if (name.empty() || !printable(name, false)) {
    throw unusable_table(
        fmt::format("the name of kernel {} is not one word of printable ASCII", index));
  }
  for (const char* field : {kernel.rule, kernel.device, kernel.dtypes, kernel.options,
                            kernel.numerics, kernel.budget}) {
    if (field != nullptr && !printable(field, true)) {
      throw unusable_table(fmt::format("the words of kernel {} are not printable ASCII", index));
    }
  }
  return kernel;
}

}  // namespace

std::vector<dg_kernel> load_kernels(const std::string& plugin, const kernel_table& in_tree) {
  std::vector<dg_kernel> kernels;
  std::set<std::string> names;
  for (const dg_kernel* table : plugin.empty() ? in_tree() : table_of(plugin)) {
    kernels.push_back(checked(*table, kernels.size()));
    // One name may stand for a source's host kernel and for its device's.
    const dg_kernel& kernel = kernels.back();
    if (!names.insert(fmt::format("{} {}", kernel.name, kernel.device)).second) {
      throw unusable_table(fmt::format("two kernels have the name \"{}\"", kernels.back().name));
    }
  }
  return kernels;
}

std::string words_of(const dg_kernel& kernel) {
  std::string words;
  for (const char* field : {kernel.name, kernel.rule, kernel.device, kernel.dtypes, kernel.options,
                            kernel.numerics, kernel.budget}) {
    words += field == nullptr ? "" : field;
    words += '\0';
  }
  return words;
}

}  // namespace driftgate::gate::host
