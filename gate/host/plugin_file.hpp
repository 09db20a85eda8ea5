// What can be said of a plugin's file without loading it.
#pragma once

#include <filesystem>
#include <string>

namespace driftgate::gate::host {

// Why the file is no shared object for this machine, as a clause ("it is empty"); empty if nothing
// speaks against loading it. The dynamic loader's own words for these are misleading: it calls
// another processor's file "No such file", and maps half a file and dies of it.
std::string fault_of_file(const std::filesystem::path& plugin);

}  // namespace driftgate::gate::host
