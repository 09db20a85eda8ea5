// What `check --json` writes: one document on a plugin, whatever became of it (docs/records.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "properties/contract.hpp"

namespace driftgate::gate {

class check_document {
 public:
  explicit check_document(const std::string& plugin);

  // `skipped`: why it is not run; empty: it is.
  void add_kernel(const properties::contract& promised, const std::string& skipped);
  // A run's records as they come.
  void add_record(const nlohmann::json& record);

  // The whole document; `error` is one sentence, or empty for the exit codes 0 and 1.
  nlohmann::json finished(int exit_code, const std::string& error) const;

 private:
  nlohmann::json document_;
};

// Writes to a file, or to standard output for "-". Throws std::system_error with a sentence that
// names the place.
void write_document(const std::string& where, const nlohmann::json& document);

}  // namespace driftgate::gate
