// What can be said of a plugin's file without loading it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace driftgate::gate::host {

// Why the file is no shared object for this machine, as a clause ("it is empty"); empty if nothing
// speaks against loading it. The dynamic loader's own words for these are misleading: it calls
// another processor's file "No such file", and maps half a file and dies of it.
std::string fault_of_file(const std::filesystem::path& plugin);

// Tells whether a file is still the one it was: a build that replaces a plugin in the middle of a
// run is no crash of the kernel.
struct file_identity {
  std::uint64_t device = 0, file = 0, bytes = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  // of its last change

  bool operator==(const file_identity&) const = default;
};

// All zero if there is no such file.
file_identity identity_of(const std::filesystem::path& plugin);

}  // namespace driftgate::gate::host
