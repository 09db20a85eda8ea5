#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gate/campaign.hpp"
#include "gate/records/failure_file.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/verbs.hpp"
#include "properties/laws/stage.hpp"

namespace driftgate::gate::verbs {
namespace {

// Every stage and form of the failing element, at 256 bits.
void print_trace(properties::law_context& context, const properties::failing_case& failure) {
  const auto data = failure.inputs(context.about());
  rules::elements block;
  block.count = static_cast<std::size_t>(failure.spec.elements());
  for (std::size_t r = 0; r < data.roles.size(); ++r) block.before[r] = data.data[r].data();
  fmt::print("\n    stage         {:<26} {:>10} {:>9}  form\n", "exact", "allowed", "in ulps");
  for (const rules::traced_form& f :
       context.oracle(failure.step())->trace(block, *failure.what.element)) {
    if (!f.admissible) continue;
    const auto figure = [](double x) {
      return std::isfinite(x) ? fmt::format("{:.3g}", x) : std::string("-");
    };
    fmt::print("    {:<13} {:<26} {:>10} {:>9}  {}\n", f.stage, f.value, figure(f.error),
               figure(f.error / f.unit_in_last_place), f.text);
  }
}

// The kernel that the file is about.
kernel_under_test find_kernel(const std::filesystem::path& file, const replayable& what,
                              const host::options& how) {
  kernel_under_test found;
  for (auto& k : kernels_of({what.plugin}, how)) {
    if (k.promised.name == what.kernel && k.promised.device == what.device) found = std::move(k);
  }
  if (found.promised.name.empty()) {
    throw bad_request(
        fmt::format("{}: there is no kernel \"{}\" any more", file.string(), what.kernel));
  }
  return found;
}

// A file may have been edited, or be of another version of the kernel.
void check_case(const std::filesystem::path& file, const replayable& what,
                const kernel_under_test& kernel) {
  const auto refuse = [&](const std::string& reason) {
    throw bad_request(fmt::format("{}: {}", file.string(), reason));
  };
  const rules::description about = kernel.about();
  const auto& scalars = what.spec.scalars;
  if (what.rule != about.name) {
    refuse(fmt::format("the case is of rule \"{}\", and {} now computes {}", what.rule, what.kernel,
                       about.name));
  }
  for (const rules::scalar& s : about.scalars) {
    if (!scalars.contains(s.name)) refuse("the case has no scalar " + s.name);
  }
  for (const auto& [name, value] : scalars) {
    const bool known = std::any_of(about.scalars.begin(), about.scalars.end(),
                                   [&, &n = name](const auto& s) { return s.name == n; });
    if (!known) refuse(fmt::format("rule {} has no scalar \"{}\"", about.name, name));
    if (about.passed(name, value) != value) {
      refuse(fmt::format("{} is passed as an f32, which {} is not", name, value));
    }
    if (!about.is_option(name)) continue;
    if (value != 0 && value != 1) refuse(fmt::format("{} must be 0 or 1", name));
    if (value == 1 && name != rules::found_inf && !kernel.promised.options.contains(name)) {
      refuse(fmt::format("the case switches {} on, which {} does not promise", name, what.kernel));
    }
  }
  try {
    kernel.rule->at(what.spec.step, scalars, properties::arithmetic_of(kernel.promised), nullptr);
  } catch (const std::invalid_argument& e) {
    refuse(e.what());
  }
}

}  // namespace

int replay(const std::filesystem::path& file, double timeout) {
  const replayable what = read_failure(file);
  const properties::law* l = properties::find_law(what.law);
  if (!l) throw bad_request(fmt::format("{}: there is no law \"{}\"", file.string(), what.law));
  host::options how;
  how.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000));
  const kernel_under_test kernel = find_kernel(file, what, how);
  check_case(file, what, kernel);
  if (!kernel.skipped.empty()) {
    terminal::complain(fmt::format("{}: {}", file.string(), kernel.skipped));
    return nothing_verified;
  }
  const auto [subject, on_host] = open_kernel(kernel, how);
  rules::audit none;
  properties::law_context context(*subject, *kernel.rule, properties::level::quick, what.spec.seed,
                                  none);
  context.counting = false;
  context.on_host = on_host.get();
  if (l->compares_hosts && !on_host) {
    throw bad_request(fmt::format("{}: {} has no host build any more", file.string(), what.kernel));
  }
  // A fault may show beside a guard page only, and in one of the check's runs only.
  std::optional<properties::violation> v;
  for (std::size_t turn = 0; turn < host::placements && !v; ++turn) {
    subject->turn_to(turn);
    v = l->check(context, what.spec);
  }
  if (!v) {
    fmt::print("{} {}: verified on this case now\n", what.kernel, what.law);
    return all_verified;
  }
  result r;
  r.kernel = kernel.promised;
  r.source = kernel.source();
  r.law = what.law;
  r.report.failure = properties::failing_case{what.spec, *v};
  r.stage = properties::first_stage(*subject, *kernel.rule, *r.report.failure);
  r.failure_file = file.string();
  fmt::print("{}", terminal::failure_text(r, kernel.about()));
  if (v->element) print_trace(context, *r.report.failure);
  return divergence;
}

}  // namespace driftgate::gate::verbs
