// read_failure on any file: it refuses the file with its one error, or what it read can be written,
// read back to the same case, and expanded to tensors.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "gate/records/failure_file.hpp"
#include "tests/fuzz/require.hpp"

namespace driftgate::gate {
namespace {

using fuzz::require;

// A file in memory that can be opened by its path.
class memory_file {
 public:
  memory_file() : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "there is memory for a file");
  }
  ~memory_file() { close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  void write(const std::uint8_t* data, std::size_t size) const {
    require(ftruncate(descriptor_, 0) == 0 &&
                pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size),
            "a file in memory can be written");
  }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void check(const replayable& what) {
  static const memory_file copy;
  write_failure(copy.path(), what, nlohmann::json::object());
  const replayable again = read_failure(copy.path());
  require(again.spec == what.spec, "the same case is read back");
  require(again.kernel == what.kernel && again.plugin == what.plugin && again.rule == what.rule &&
              again.law == what.law,
          "the same names are read back");

  require(what.spec.step >= 1, "the first step is 1");
  require(what.spec.elements() >= 0, "a case has no less than no elements");
  constexpr std::int64_t few = 1 << 12;  // of which each draw is as good as of more
  if (what.spec.elements() > few) return;
  rules::description rule;
  for (const char* name : {"param", "grad", "exp_avg", "exp_avg_sq"}) {
    rule.roles.emplace_back().name = name;
  }
  rule.roles.back().non_negative = true;
  properties::input_statistics statistics;
  statistics.add(properties::expand(what.spec, rule));
  require(statistics.count == rule.roles.size() * static_cast<std::size_t>(what.spec.elements()),
          "every element is drawn");
}

}  // namespace
}  // namespace driftgate::gate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftgate::gate;
  static const memory_file file;
  file.write(data, size);
  replayable what;
  try {
    what = read_failure(file.path());
  } catch (const unreadable_failure&) {
    return 0;
  }
  check(what);
  return 0;
}
