// Records: JSON lines that say what was run and what came out (docs/records.md).
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/contract.hpp"
#include "properties/laws/engine.hpp"

namespace driftgate::gate {

// A kernel's law, done.
struct result {
  properties::contract kernel;
  std::string source;  // "in-tree" or the plugin's path
  properties::law_report report;
  std::string law;
  std::string stage;         // that departs first, where known
  std::string failure_file;  // empty: no failure
};

nlohmann::json run_record(const std::string& run, const std::vector<std::string>& command,
                          std::uint64_t seed, properties::level depth);
nlohmann::json result_record(const std::string& run, const result& r,
                             const rules::description& rule);
nlohmann::json end_record(const std::string& run, int exit_code, double seconds,
                          const std::vector<result>& results);

// A random name for a run.
std::string new_run_id();

// The command that replays a failure file.
std::string replay_command(const std::string& failure_file);

// A file of lines, each on disk before write() returns. Throws std::system_error with a sentence
// that names the file if it cannot be made or written (no space, read-only, no such folder).
class record_file {
 public:
  explicit record_file(const std::filesystem::path& path);
  void write(const nlohmann::json& record);

 private:
  struct close_file {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, close_file> file_;
};

}  // namespace driftgate::gate
