#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gate/campaign.hpp"
#include "gate/records/check_document.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/run.hpp"
#include "gate/verbs/verbs.hpp"

namespace driftgate::gate::verbs {
namespace {

using properties::verdict;

campaign campaign_of(const check_request& request) {
  campaign c;
  c.settings.depth = request.depth;
  c.settings.seed = request.seed;
  c.how.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout * 1000));
  c.failures = request.out / "failures";
  return c;
}

// How a kernel that cannot even be called fails any law.
bool is_an_ending(verdict v) {
  return v == verdict::crashed || v == verdict::error_code || v == verdict::timed_out;
}

// LAW[:VERDICT]
struct expectation {
  std::string law;
  std::string with;  // empty: any verdict of the law's own

  explicit expectation(const std::string& words)
      : law(words.substr(0, words.find(':'))),
        with(words.find(':') == std::string::npos ? "" : words.substr(words.find(':') + 1)) {
    if (!properties::find_law(law)) {
      std::string known;
      for (const properties::law& l : properties::all_laws()) known += fmt::format(" {}", l.name);
      throw bad_request(fmt::format("there is no law \"{}\"; known:{}", law, known));
    }
    if (words.find(':') == std::string::npos) return;
    std::string known;
    for (const std::string_view v : properties::verdict_names) {
      if (!is_failure(*properties::find_verdict(v))) continue;
      if (with == v) return;
      known += fmt::format(" {}", v);
    }
    throw bad_request(fmt::format("\"{}\" is no verdict of a failure; known:{}", with, known));
  }

  bool met_by(verdict v) const {
    return with.empty() ? is_failure(v) && !is_an_ending(v) : with == properties::name(v);
  }
};

// A device's kernel is the wrong one, and its host build what that is compared with.
bool is_a_reference(const kernel_under_test& kernel,
                    const std::vector<kernel_under_test>& kernels) {
  return std::any_of(kernels.begin(), kernels.end(), [&](const kernel_under_test& other) {
    return other.has_host_build && kernel.promised.device == "cpu" &&
           other.promised.name == kernel.promised.name;
  });
}

// For wrong kernels made on purpose: succeeds only if the law that must catch the plugin does.
// Where the kernel cannot be run, or the law cannot be put to the test, nothing is verified.
int expect_caught(const check_request& request, const std::vector<kernel_under_test>& kernels) {
  const expectation expected(request.expect_caught_by);
  int code = all_verified;
  for (const kernel_under_test& kernel : kernels) {
    if (is_a_reference(kernel, kernels)) continue;
    campaign c = campaign_of(request);
    c.laws = {expected.law};
    const std::vector<result> results = run(c, kernel);
    if (results.empty()) {
      throw bad_request(fmt::format("{} says nothing of {}, which is for the host", expected.law,
                                    kernel.promised.name));
    }
    const result& by_law = results.front();
    const std::string_view name = properties::name(by_law.report.result);
    if (expected.met_by(by_law.report.result)) {
      terminal::print(fmt::format("{} is caught by {}: {}: {}\n", kernel.promised.name, by_law.law,
                                  name, by_law.report.detail));
      continue;
    }
    if (!kernel.skipped.empty() || by_law.report.impossible) {
      terminal::print(
          fmt::format("{} is skipped: {}\n", kernel.promised.name, by_law.report.detail));
      if (code == all_verified) code = nothing_verified;
      continue;
    }
    code = divergence;
    c.laws.clear();
    std::string others;
    for (const result& r : run(c, kernel)) {
      if (!is_failure(r.report.result)) continue;
      others += fmt::format(" {} ({})", r.law, properties::name(r.report.result));
    }
    terminal::print(fmt::format("{} survives {}{}{}, which says {}; caught by:{}\n",
                                kernel.promised.name, expected.law,
                                expected.with.empty() ? "" : ":", expected.with, name,
                                others.empty() ? " no law" : others));
  }
  return code;
}

run_end check_plugin(const check_request& request, check_document& document) {
  run_plan plan;
  plan.command = request.command;
  plan.how = campaign_of(request);
  plan.kernels = kernels_of({request.plugin}, plan.how.how, request.kernel);
  plan.quiet = request.json == "-";
  for (const kernel_under_test& k : plan.kernels) document.add_kernel(k.promised, k.skipped);
  plan.record = [&](const nlohmann::json& record) { document.add_record(record); };
  return run_all(plan);
}

}  // namespace

int check(const check_request& request) {
  if (!request.expect_caught_by.empty()) {
    return expect_caught(request,
                         kernels_of({request.plugin}, campaign_of(request).how, request.kernel));
  }
  check_document document(request.plugin.string());
  run_end end;
  try {
    end = check_plugin(request, document);
  } catch (const std::exception& e) {
    end = {exit_code_of(e), e.what()};
  }
  if (!request.json.empty()) {
    try {
      write_document(request.json, document.finished(end.code, end.error));
    } catch (const std::exception& e) {
      if (end.code != suite_failed) end = {suite_failed, e.what()};
    }
  }
  if (!end.error.empty()) terminal::complain(end.error);
  return end.code;
}

}  // namespace driftgate::gate::verbs
