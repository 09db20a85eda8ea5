// What `verify` and `check` share: kernels x laws, from the first record to the exit code, whatever
// happens on the way.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gate/campaign.hpp"

namespace driftgate::gate::verbs {

struct run_plan {
  std::vector<std::string> command;
  std::vector<kernel_under_test> kernels;
  campaign how;           // what it calls is set by run_all
  bool quiet = false;     // standard output belongs to something else than the table
  bool verbose = false;   // the distribution of the inputs, too
  std::string kept_in{};  // where the records are, for the last line
  // Takes each record (docs/records.md) as soon as there is one. May throw: the run then ends.
  std::function<void(const nlohmann::json&)> record;
};

struct run_end {
  int code = suite_failed;
  std::string error;  // one sentence, unless the code is 0 or 1
};

// Prints the table and the failures, hands every record over, the last one even if the suite fails
// or a signal ends the run. Does not throw for what the exit code can say.
run_end run_all(const run_plan& plan);

}  // namespace driftgate::gate::verbs
