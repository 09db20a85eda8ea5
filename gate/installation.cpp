#include "gate/installation.hpp"

#include <system_error>

#include "gate/records/version.hpp"

namespace driftgate::gate {

namespace fs = std::filesystem;

fs::path report_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed =
      program.parent_path().parent_path() / "share" / "driftgate" / "reports";
  return !error && fs::is_directory(installed, error) ? installed : fs::path(version::reports);
}

}  // namespace driftgate::gate
