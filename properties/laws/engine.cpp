#include "properties/laws/engine.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include <fmt/format.h>

#include "properties/gen/generators.hpp"

namespace driftgate::properties {
namespace {

// RapidCheck prints by default; a law reports by its return value.
class silent_listener : public rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

// Each shrinking step of a hang costs the time limit, of a crash a new process.
int shrinking_steps(verdict v) {
  if (v == verdict::timed_out) return 3;
  return v == verdict::crashed ? 60 : 300;
}

// A single element in place of the whole list, if that fails too.
std::optional<failing_case> narrowed(const law& l, law_context& context,
                                     const failing_case& found) {
  if (!found.what.element || found.spec.elements() <= 1) return std::nullopt;
  failing_case single = found;
  single.spec.sizes = {1};
  single.spec.first = found.spec.first + *found.what.element;
  const auto v = l.check(context, single.spec);
  if (!v) return std::nullopt;
  single.what = *v;
  return single;
}

std::uint64_t law_seed(std::uint64_t seed, const char* law_name) {
  for (const char* c = law_name; *c; ++c) seed = mix(seed, static_cast<unsigned char>(*c));
  return seed;
}

}  // namespace

double law_report::worst_ratio() const {
  double worst = -1;
  for (const rules::output_tally& t : tally) {
    if (t.judged > 0) worst = std::max(worst, t.worst.ratio);
  }
  return worst;
}

law_report run_law(const law& l, subject& kernel, const rules::rule& rule,
                   const campaign_settings& settings, rules::audit& auditor, subject* on_host) {
  const auto start = std::chrono::steady_clock::now();
  law_report report;
  report.of = &l;
  report.seed = law_seed(settings.seed, l.name);
  if (l.inapplicable) report.detail = l.inapplicable(kernel.promised());
  if (l.compares_hosts && on_host == nullptr) {
    report.detail = "the source has no kernel of this name for the host";
  }
  if (!report.detail.empty()) {
    report.result = verdict::skipped;
    return report;
  }
  law_context context(kernel, rule, settings.depth, report.seed, auditor);
  context.on_host = on_host;

  case_profile profile = l.profile;
  profile.single_scalars = kernel.promised().coefficient == coefficients::f32;
  profile.deep = settings.depth == level::full;
  profile.options.assign(kernel.promised().options.begin(), kernel.promised().options.end());
  if (l.profile.may_skip) profile.options.emplace_back(rules::found_inf);

  std::optional<failing_case> smallest;
  std::exception_ptr suite_failure;
  std::size_t turn = 0;
  int shrinks = 0;
  const int wanted = settings.depth == level::full ? l.full_cases : l.quick_cases;
  const auto property = [&] {
    if (suite_failure || !context.impossible.empty()) return true;
    if (smallest && ++shrinks > shrinking_steps(smallest->what.what)) return true;
    try {
      case_spec spec = *cases(context.about(), profile);
      if (l.reshape) spec = l.reshape(std::move(spec));
      // Every run of the check is to meet every placement, and what is smaller the one that failed.
      const bool searching = !smallest;
      if (searching) turn = context.cases;
      kernel.turn_to(turn);
      const auto v = l.check(context, spec);
      if (v) {
        smallest = failing_case{spec, *v};
        context.counting = false;
      }
      if (searching) {
        ++context.cases;
        if (settings.progress) settings.progress(l, static_cast<double>(context.cases) / wanted);
      }
      return !v;
    } catch (...) {  // RapidCheck would take it for a failing case
      suite_failure = std::current_exception();
      return true;
    }
  };
  rc::detail::TestParams parameters;
  parameters.seed = report.seed;
  parameters.maxSuccess = wanted;
  silent_listener listener;
  rc::detail::checkTestable(property, rc::detail::TestMetadata(), parameters, listener,
                            std::unordered_map<std::string, rc::detail::Reproduce>());
  if (suite_failure && !smallest) std::rethrow_exception(suite_failure);
  if (!context.impossible.empty()) {
    report.result = verdict::skipped;
    report.detail = context.impossible;
    report.impossible = true;
    return report;
  }
  // A failure that RapidCheck saw and the law did not, or cases that were never tried.
  if (!smallest && context.cases != static_cast<std::uint64_t>(wanted)) {
    throw rules::oracle_failure(
        fmt::format("the law {} ran {} of {} cases", l.name, context.cases, wanted));
  }

  if (smallest) {
    try {
      kernel.turn_to(turn);
      if (!suite_failure) {
        if (auto single = narrowed(l, context, *smallest)) smallest = single;
      }
    } catch (...) {
      suite_failure = std::current_exception();
    }
    report.cut_short_by = suite_failure;
    report.result = smallest->what.what;
    report.detail = smallest->what.sentence;
    report.failure = smallest;
  } else if (l.covered) {
    const std::string lacking = l.covered(context);
    if (!lacking.empty()) {
      throw rules::oracle_failure(fmt::format("the law {} is vacuous: {}", l.name, lacking));
    }
  }
  report.cases = context.cases;
  report.tally = context.tally;
  report.inputs = context.inputs;
  report.figures = context.figures;
  report.outputs_judged = context.outputs_compared;
  for (std::size_t r = 0; r < report.tally.size(); ++r) {
    const rules::output_tally& t = report.tally[r];
    const std::uint64_t ill_posed = t.tiers[static_cast<std::size_t>(rules::tier::ill_posed)];
    report.outputs_judged += t.judged - ill_posed;  // anything passes there
    if (report.result != verdict::verified || ill_posed <= most_ill_posed * t.judged) continue;
    report.result = verdict::ill_posed;
    report.detail = fmt::format("{} of {} outputs of {} had no meaningful budget", ill_posed,
                                t.judged, context.about().roles[r].name);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace driftgate::properties
