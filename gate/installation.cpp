#include "gate/installation.hpp"

#include <system_error>

#include "gate/records/version.hpp"

namespace driftgate::gate {
namespace {

namespace fs = std::filesystem;

fs::path program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// Of an installed program; else there is no such folder.
fs::path installed_reports() {
  return program().parent_path().parent_path() / "share" / "driftgate" / "reports";
}

bool is_installed() {
  std::error_code error;
  return fs::is_directory(installed_reports(), error);
}

}  // namespace

fs::path report_folder() {
  return is_installed() ? installed_reports() : fs::path(version::reports);
}

std::string program_command() {
  return is_installed() ? program().string() : "./driftgate";
}

}  // namespace driftgate::gate
