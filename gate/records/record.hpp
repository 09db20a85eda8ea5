// Records: JSON lines that say what was run and what came out (docs/records.md).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/contract.hpp"
#include "properties/laws/engine.hpp"

namespace driftgate::gate {

// The four strings of a contract.
nlohmann::json contract_record(const properties::contract& promised);

// As on the command line.
// Now, in UTC; and the host's processor, in words.
std::string now();
std::string processor();

const char* level_name(properties::level depth);

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
                          const std::vector<result>& results, const std::string& error);

// A random name for a run.
std::string new_run_id();

// The command that replays a failure file, for a shell.
std::string replay_command(const std::string& failure_file);

}  // namespace driftgate::gate
