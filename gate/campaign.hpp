// A campaign: kernels x laws.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gate/host/host.hpp"
#include "gate/records/record.hpp"
#include "properties/laws/engine.hpp"

namespace driftgate::gate {

enum exit_code {
  all_verified = 0,
  divergence = 1,
  bad_usage = 2,
  nothing_verified = 3,
  suite_failed = 4
};

struct bad_request : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A kernel that can be run: its contract is valid for its rule.
struct kernel_under_test {
  host::kernel_source from;
  properties::contract promised;
  const rules::rule* rule = nullptr;

  std::string source() const { return from.plugin.empty() ? "in-tree" : from.plugin.string(); }
};

// All kernels of a source for the host. Throws host::unusable_plugin, properties::contract_error or
// properties::unsupported_error with one sentence.
std::vector<kernel_under_test> kernels_of(const host::kernel_source& source,
                                          const host::options& how);

struct campaign {
  properties::campaign_settings settings;
  host::options how;
  std::vector<std::string> laws;   // empty: all
  std::filesystem::path failures;  // folder of failure files
  std::function<void(const kernel_under_test&)> started;
  std::function<void(const result&)> finished;
};

// Runs every law on a kernel. After a hang the rest of the laws is skipped, with the reason.
// Throws rules::oracle_failure.
std::vector<result> run(const campaign& c, const kernel_under_test& kernel);

// 4 is thrown, not returned: 1 before 3 before 0.
int exit_code_of(const std::vector<result>& results);

}  // namespace driftgate::gate
