// A campaign: kernels x laws.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
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

// The suite failed in the middle of a law; says of which kernel and law.
struct suite_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Somebody wants the run to end.
struct stopped : std::runtime_error {
  explicit stopped(int number);
  int signal;
};

// The exit code for what ended a verb early, and the only place that knows.
int exit_code_of(const std::exception& error);

// A kernel whose contract is valid for its rule.
struct kernel_under_test {
  host::kernel_source from;
  properties::contract promised;
  const rules::rule* rule = nullptr;
  std::string skipped{};          // why it cannot be run here; empty: it can
  host::description described{};  // what it promised, as it said it
  bool has_host_build = false;    // it is for a device, and the source has it for the host, too

  // The rule as the contract has it.
  rules::description about() const {
    return rule->about().stored_as(promised.dtypes, promised.scalar_roles);
  }
  std::string source() const { return from.plugin.empty() ? "in-tree" : from.plugin.string(); }
};

// All kernels of a source, or those of one name; what is for a device that is not there has a
// reason to be skipped. Throws host::unusable_plugin, properties::contract_error or
// properties::unsupported_error with one sentence, and bad_request if there is none of that name.
std::vector<kernel_under_test> kernels_of(const host::kernel_source& source,
                                          const host::options& how, const std::string& name = "");

// The kernel, ready to run, and for a device's kernel its host build where there is one.
struct opened_kernel {
  std::unique_ptr<properties::subject> subject, on_host;
};
opened_kernel open_kernel(const kernel_under_test& kernel, const host::options& how);

struct campaign {
  properties::campaign_settings settings;
  host::options how;
  std::vector<std::string> laws;   // empty: all
  std::filesystem::path failures;  // folder of failure files
  std::function<void(const kernel_under_test&)> started;
  std::function<void(const result&)> finished;
};

// Runs every law on a kernel. After a hang the rest of the laws is skipped, with the reason.
// Throws suite_failure, after `finished` has seen all that was found until then.
std::vector<result> run(const campaign& c, const kernel_under_test& kernel);

// 1 before 3 before 0; 4 is an exception's.
int exit_code_of(const std::vector<result>& results);
// The sentence for 3: a law that is ill-posed, or else what the first was skipped for.
std::string why_not_verified(const std::vector<result>& results);

}  // namespace driftgate::gate
