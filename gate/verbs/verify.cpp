#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gate/campaign.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/verbs.hpp"

namespace driftgate::gate::verbs {
namespace {

std::vector<kernel_under_test> selected(const verify_request& request) {
  auto all = kernels_of({}, {});
  if (request.kernels.empty()) return all;
  std::vector<kernel_under_test> chosen;
  for (const std::string& name : request.kernels) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const auto& k) { return k.promised.name == name; });
    if (at == all.end()) {
      std::string known;
      for (const auto& k : all) known += " " + k.promised.name;
      throw bad_request(fmt::format("there is no kernel \"{}\"; known:{}", name, known));
    }
    chosen.push_back(*at);
  }
  return chosen;
}

}  // namespace

int verify(const verify_request& request) {
  if (request.device == "cuda" || request.require == "cuda") {
    fmt::print(
        stderr,
        "driftgate: no CUDA device can be used: this version runs kernels on the host only\n");
    return nothing_verified;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto kernels = selected(request);
  record_file records(request.out / "records.jsonl");
  const std::string run_id = new_run_id();
  records.write(run_record(run_id, request.command, request.seed, request.depth));
  fmt::print("driftgate verify: {} kernel{}, level {}, seed {}\n", kernels.size(),
             kernels.size() == 1 ? "" : "s",
             request.depth == properties::level::full ? "full" : "quick", request.seed);

  std::vector<result> results;
  for (const kernel_under_test& kernel : kernels) {
    campaign c;
    c.settings.depth = request.depth;
    c.settings.seed = request.seed;
    c.settings.progress = [&](const properties::law& l, double done) {
      terminal::progress(kernel.promised.name, l.name, done);
    };
    c.failures = request.out / "failures";
    c.started = [](const kernel_under_test& k) {
      fmt::print("{}{}", terminal::kernel_heading(k.promised, k.source()),
                 terminal::table_header());
    };
    c.finished = [&](const result& r) {
      terminal::clear_progress();
      fmt::print("{}", terminal::table_row(r));
      if (request.verbose) fmt::print("{}", terminal::distribution_text(r));
      std::fflush(stdout);
      records.write(result_record(run_id, r, kernel.rule->about()));
    };
    for (result& r : run(c, kernel)) results.push_back(std::move(r));
  }

  const int code = exit_code_of(results);
  for (const result& r : results) {
    if (r.report.failure) {
      fmt::print("{}", terminal::failure_text(r, rules::find_rule(r.kernel.rule)->about()));
    }
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  records.write(end_record(run_id, code, seconds, results));
  const auto verified = std::count_if(results.begin(), results.end(), [](const result& r) {
    return r.report.result == properties::verdict::verified;
  });
  fmt::print("\n{} of {} laws verified in {:.1f} s; records in {}\n", verified, results.size(),
             seconds, (request.out / "records.jsonl").string());
  std::fflush(stdout);
  if (request.page) {
    report_request page;
    page.folders = {request.out.string()};
    page.out = (request.out / "report").string();
    report(page);
  }
  return code;
}

}  // namespace driftgate::gate::verbs
