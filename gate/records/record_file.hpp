// A folder's records.jsonl while a run writes it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gate/host/file_descriptor.hpp"

namespace driftgate::gate {

// A file of lines. A new run starts it anew, unless another run is writing to it at this moment:
// then both append to it, each line as a whole.
class record_file {
 public:
  // Makes the folder. Throws std::system_error with a sentence that names the file if it cannot be
  // made or written (no space, read-only, no such folder).
  explicit record_file(const std::filesystem::path& path);

  // In the file, all of it or nothing, before it returns. Throws std::system_error.
  void write(const nlohmann::json& record);

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  host::file_descriptor file_;
};

}  // namespace driftgate::gate
