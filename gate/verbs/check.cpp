#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <system_error>

#include "gate/campaign.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/verbs.hpp"

namespace driftgate::gate::verbs {
namespace {

campaign campaign_of(const check_request& request) {
  campaign c;
  c.settings.depth = request.depth;
  c.settings.seed = request.seed;
  c.how.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout * 1000));
  c.failures = request.out / "failures";
  return c;
}

bool caught(const result& r) {
  const auto v = r.report.result;
  return v != properties::verdict::verified && v != properties::verdict::skipped &&
         v != properties::verdict::ill_posed;
}

// For wrong kernels made on purpose: succeeds only if the law that must catch the plugin does.
int expect_caught(const check_request& request, const std::vector<kernel_under_test>& kernels) {
  if (!properties::find_law(request.expect_caught_by)) {
    throw bad_request("there is no law \"" + request.expect_caught_by + "\"");
  }
  int code = all_verified;
  for (const kernel_under_test& kernel : kernels) {
    campaign c = campaign_of(request);
    c.laws = {request.expect_caught_by};
    const result by_law = run(c, kernel).front();
    if (caught(by_law)) {
      fmt::print("{} is caught by {}: {}: {}\n", kernel.promised.name, by_law.law,
                 properties::name(by_law.report.result), by_law.report.detail);
      continue;
    }
    code = divergence;
    c.laws.clear();
    std::string others;
    for (const result& r : run(c, kernel)) {
      if (caught(r)) others += " " + r.law;
    }
    fmt::print("{} survives {}; caught by:{}\n", kernel.promised.name, request.expect_caught_by,
               others.empty() ? " no law" : others);
  }
  return code;
}

void write_json(const std::string& where, const nlohmann::json& document) {
  const std::string text =
      document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (where == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream out(where);
  out << text;
  if (!out.flush())
    throw std::system_error(errno, std::generic_category(), "cannot write " + where);
}

}  // namespace

int check(const check_request& request) {
  const auto start = std::chrono::steady_clock::now();
  campaign c = campaign_of(request);
  auto kernels = kernels_of({request.plugin}, c.how);
  if (!request.kernel.empty()) {
    std::erase_if(kernels, [&](const auto& k) { return k.promised.name != request.kernel; });
  }
  if (kernels.empty()) {
    throw bad_request(fmt::format("{} has no kernel {}for the host", request.plugin.string(),
                                  request.kernel.empty() ? "" : request.kernel + " "));
  }
  if (!request.expect_caught_by.empty()) return expect_caught(request, kernels);

  const bool quiet = request.json == "-";
  const std::string run_id = new_run_id();
  nlohmann::json document = {
      {"schema", "driftgate.check/1"},
      {"run", run_record(run_id, request.command, request.seed, request.depth)},
      {"results", nlohmann::json::array()}};
  std::vector<result> results;
  for (const kernel_under_test& kernel : kernels) {
    if (!quiet) {
      fmt::print("{}{}", terminal::kernel_heading(kernel.promised, kernel.source()),
                 terminal::table_header());
      c.settings.progress = [&](const properties::law& l, double done) {
        terminal::progress(kernel.promised.name, l.name, done);
      };
    }
    c.finished = [&](const result& r) {
      document["results"].push_back(result_record(run_id, r, kernel.rule->about()));
      if (quiet) return;
      terminal::clear_progress();
      fmt::print("{}", terminal::table_row(r));
      std::fflush(stdout);
    };
    for (result& r : run(c, kernel)) results.push_back(std::move(r));
  }
  const int code = exit_code_of(results);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  document["end"] = end_record(run_id, code, seconds, results);
  if (!quiet) {
    for (const result& r : results) {
      if (r.report.failure) {
        fmt::print("{}", terminal::failure_text(r, rules::find_rule(r.kernel.rule)->about()));
      }
    }
  }
  if (!request.json.empty()) write_json(request.json, document);
  return code;
}

}  // namespace driftgate::gate::verbs
