#include "gate/terminal/terminal.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gate/records/failure_file.hpp"

namespace driftgate::gate::terminal {
namespace {

using json = nlohmann::json;

bool colours() {
  static const bool on = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return on;
}

std::string coloured(properties::verdict v, const std::string& text) {
  if (!colours()) return text;
  const bool good = v == properties::verdict::verified;
  const bool neutral = !good && !is_failure(v);
  const auto colour = good      ? fmt::terminal_color::green
                      : neutral ? fmt::terminal_color::yellow
                                : fmt::terminal_color::red;
  return fmt::format(fmt::fg(colour), "{}", text);
}

std::string ratio_text(double ratio) {
  if (ratio < 0) return "-";
  if (!std::isfinite(ratio)) return "inf";
  if (ratio >= 1000) return fmt::format("{:.2g}", ratio);
  // Never rounded across 1, which is the verdict.
  return fmt::format("{:.3f}",
                     (ratio <= 1 ? std::floor(1e3 * ratio) : std::ceil(1e3 * ratio)) / 1e3);
}

// "double 99.98 %, special 331": the tiers that decided anything.
std::string tiers_text(const rules::tally& tally) {
  std::string text;
  std::uint64_t all = 0;
  for (const auto& t : tally) all += t.judged;
  if (all == 0) return "bits";
  for (std::size_t k = 0; k < rules::tier_count; ++k) {
    std::uint64_t n = 0;
    for (const auto& t : tally) n += t.tiers[k];
    if (n == 0) continue;
    const bool most = k == 0;
    text += text.empty() ? "" : ", ";
    text += most ? fmt::format("double {:.2f} %",
                               100.0 * static_cast<double>(n) / static_cast<double>(all))
                 : fmt::format("{} {}", rules::tier_names[k], n);
  }
  return text;
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string output_error() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!failed) return "";
  // The stream remembers that a write failed, but not why; another try tells.
  const int reason = errno != 0 || write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
  return reason == 0 ? "cannot write to standard output"
                     : fmt::format("cannot write to standard output: {}", std::strerror(reason));
}

void complain(const std::string& sentence) {
  std::string line = sentence;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::fflush(stdout);
  line = fmt::format("driftgate: {}\n", line);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void progress(const std::string& kernel, const std::string& law, double done) {
  if (isatty(STDERR_FILENO) == 0) return;
  // Not fmt::print, which throws when a terminal has gone away.
  std::fputs(fmt::format("\r\033[K  {} {} {:3.0f} %", kernel, law, 100 * done).c_str(), stderr);
}

void clear_progress() {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fputs("\r\033[K", stderr);
}

std::string kernel_heading(const properties::contract& kernel, const std::string& source) {
  const auto unverified = properties::unverified_promises(kernel);
  return fmt::format(
      "\n{}  (rule {}, device {}, {}{})\n{}", kernel.name, kernel.rule, kernel.device,
      kernel.numerics_text.empty() ? "compute=f32" : kernel.numerics_text,
      source == "in-tree" ? "" : ", " + source,
      unverified.empty() ? ""
                         : fmt::format("  not verified here: {}\n", fmt::join(unverified, ", ")));
}

std::string table_header() {
  return fmt::format("  {:<22} {:<20} {:>13} {:>7} {:>13} {:>8}  {}\n", "law", "verdict",
                     "error/allowed", "cases", "outputs", "seconds", "decided by");
}

std::string table_row(const result& r) {
  const properties::law_report& report = r.report;
  const std::string verdict = fmt::format("{:<20}", properties::name(report.result));
  return fmt::format(
      "  {:<22} {} {:>13} {:>7} {:>13} {:>8.2f}  {}\n", r.law, coloured(report.result, verdict),
      ratio_text(report.worst_ratio()), report.cases, grouped(report.outputs_judged),
      report.seconds,
      report.result == properties::verdict::skipped ? report.detail : tiers_text(report.tally));
}

std::string failure_text(const result& r, const rules::description& rule) {
  const auto& failure = *r.report.failure;
  const json j = describe_failure(failure, rule, r.stage);
  std::string text =
      fmt::format("\n  {} {}: {}\n    {}\n", r.kernel.name, r.law,
                  coloured(failure.what.what, std::string(properties::name(failure.what.what))),
                  failure.what.sentence);
  std::string scalars;
  for (const auto& [name, value] : failure.step().scalars) {
    scalars += fmt::format(" {}={}", name, value);
  }
  std::string sizes;
  for (std::size_t i = 0; i < failure.spec.sizes.size() && i < 8; ++i) {
    sizes += fmt::format("{}{}", i ? ", " : "", failure.spec.sizes[i]);
  }
  if (failure.spec.sizes.size() > 8) sizes += fmt::format(", ... ({})", failure.spec.sizes.size());
  text += fmt::format("    smallest case  tensors of [{}] elements, {} data, step {}\n", sizes,
                      properties::name(failure.spec.draw), failure.step().step);
  text += fmt::format("                  {}\n", scalars);
  if (failure.what.element) {
    text += fmt::format("    element        {}[{}][{}]\n", j["output"].get<std::string>(),
                        j["tensor"].get<std::size_t>(), j["element"].get<std::int64_t>());
    for (const rules::role& role : rule.roles) {
      if (!j["inputs"].contains(role.name)) continue;
      const json& input = j["inputs"][role.name];
      text += fmt::format("      {:<14} {:<16} {}\n", role.name, input["value"].get<std::string>(),
                          input["bits"].get<std::string>());
    }
    text += fmt::format("    got            {:<24} {}\n", j["got"].get<std::string>(),
                        j["got_bits"].get<std::string>());
  }
  if (!failure.what.judged.exact.empty()) {
    const auto values = j["allowed_values"].get<std::vector<std::string>>();
    const auto range = j["allowed_range"].get<std::vector<std::string>>();
    std::string stored;
    if (!range.empty()) {
      const bool one = range.front() == range.back();
      stored = fmt::format(", stored in {} as {}{}", j["format"].get<std::string>(), range.front(),
                           one ? "" : " to " + range.back());
    }
    text += values.empty()
                ? fmt::format(
                      "    exact          {}\n    allowed        +- {}{}\n    ratio          {}\n",
                      j["exact"].get<std::string>(), j["allowed"].get<std::string>(), stored,
                      ratio_text(failure.what.judged.ratio))
                : fmt::format("    allowed        nothing but {}\n", fmt::join(values, ", "));
  }
  if (!r.stage.empty()) text += fmt::format("    first departs  {}\n", r.stage);
  if (!r.failure_file.empty())
    text += fmt::format("    replay         {}\n", replay_command(r.failure_file));
  return text;
}

std::string distribution_text(const result& r) {
  const properties::input_statistics& s = r.report.inputs;
  if (s.count == 0) return "";
  const auto percent = [](std::uint64_t part, std::uint64_t whole) {
    return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  std::uint64_t judged = 0;
  std::uint64_t special = 0;
  std::uint64_t ill_posed = 0;
  for (const auto& t : r.report.tally) {
    judged += t.judged;
    special += t.tiers[static_cast<std::size_t>(rules::tier::special)];
    ill_posed += t.tiers[static_cast<std::size_t>(rules::tier::ill_posed)];
  }
  return fmt::format(
      "      inputs: {} elements, subnormal {:.2f} %, zero {:.2f} %, infinite {:.2f} %, NaN {:.2f} "
      "%, "
      "power of two {:.2f} %\n      outputs: beside a rounding tie {:.2f} %, special values {:.2f} "
      "%, "
      "ill-posed {:.3f} %; seed {}\n",
      grouped(s.count), percent(s.subnormal, s.count), percent(s.zero, s.count),
      percent(s.infinite, s.count), percent(s.nan, s.count), percent(s.power_of_two, s.count),
      percent(s.ties, s.outputs_sampled), percent(special, judged), percent(ill_posed, judged),
      r.report.seed);
}

}  // namespace driftgate::gate::terminal
