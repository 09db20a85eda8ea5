// Failure files: one failing case with all that is needed to run it again.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "properties/laws/engine.hpp"

namespace driftgate::gate {

// What a failure file holds beside the case.
struct replayable {
  std::string kernel;
  std::string device;  // "cpu" where a file says nothing
  std::string plugin;  // empty: in-tree
  std::string rule;
  std::string law;
  properties::case_spec spec;
};

// The failing element in words and bits, for records and files.
nlohmann::json describe_failure(const properties::failing_case& failure,
                                const rules::description& rule, const std::string& stage);

// Throws std::system_error if the file cannot be written.
void write_failure(const std::filesystem::path& path, const replayable& what,
                   const nlohmann::json& description);

struct unreadable_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws unreadable_failure with one sentence if this is no failure file.
replayable read_failure(const std::filesystem::path& path);

}  // namespace driftgate::gate
