#include "gate/verbs/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gate/terminal/terminal.hpp"
#include "gate/verbs/interruption.hpp"

namespace driftgate::gate::verbs {
namespace {

using properties::verdict;

class running {
 public:
  explicit running(const run_plan& plan) : plan_(plan) {}

  run_end run() {
    const interruption signals;
    try {
      record(run_record(id_, plan_.command, plan_.how.settings.seed, plan_.how.settings.depth));
      for (const kernel_under_test& kernel : plan_.kernels) run_kernel(kernel);
      end_.code = exit_code_of(results_);
      if (end_.code == nothing_verified) end_.error = why_not_verified(results_);
    } catch (const std::exception& e) {
      fail(e);
    }
    terminal::clear_progress();
    print_end();
    const std::string lost = plan_.quiet ? "" : terminal::output_error();
    if (!lost.empty()) end_ = {suite_failed, lost};
    try {
      record(end_record(id_, end_.code, seconds(), results_, end_.error));
    } catch (const std::exception& e) {
      if (end_.code != suite_failed) fail(e);
    }
    return end_;
  }

 private:
  void record(const nlohmann::json& one) { plan_.record(one); }

  void fail(const std::exception& e) { end_ = {exit_code_of(e), e.what()}; }

  void run_kernel(const kernel_under_test& kernel) {
    campaign c = plan_.how;
    c.how.while_waiting = interruption::check;
    c.settings.progress = [&](const properties::law& l, double done) {
      interruption::check();
      terminal::progress(kernel.promised.name, l.name, done);
    };
    c.started = [&](const kernel_under_test& k) {
      if (plan_.quiet) return;
      terminal::print(terminal::kernel_heading(k.promised, k.source()));
      terminal::print(k.skipped.empty() ? terminal::table_header()
                                        : fmt::format("  skipped: {}\n", k.skipped));
    };
    c.finished = [&](const result& r) {
      results_.push_back(r);
      terminal::clear_progress();
      if (!plan_.quiet && kernel.skipped.empty()) {
        terminal::print(terminal::table_row(r));
        if (plan_.verbose) terminal::print(terminal::distribution_text(r));
      }
      record(result_record(id_, r, kernel.about()));
    };
    gate::run(c, kernel);
  }

  void print_end() const {
    if (plan_.quiet) return;
    for (const result& r : results_) {
      if (!r.report.failure) continue;
      const rules::rule& rule = *rules::find_rule(r.kernel.rule);
      terminal::print(terminal::failure_text(
          r, rule.about().stored_as(r.kernel.dtypes, r.kernel.scalar_roles)));
    }
    if (results_.empty()) return;
    const auto count = [&](verdict v) {
      return std::count_if(results_.begin(), results_.end(),
                           [&](const result& r) { return r.report.result == v; });
    };
    const auto skipped = count(verdict::skipped);
    terminal::print(
        fmt::format("\n{} of {} laws verified{} in {:.1f} s{}\n", count(verdict::verified),
                    results_.size(), skipped == 0 ? "" : fmt::format(", {} skipped,", skipped),
                    seconds(), plan_.kept_in.empty() ? "" : "; records in " + plan_.kept_in));
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  const run_plan& plan_;
  const std::string id_ = new_run_id();
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<result> results_;
  run_end end_;
};

}  // namespace

run_end run_all(const run_plan& plan) {
  return running(plan).run();
}

}  // namespace driftgate::gate::verbs
