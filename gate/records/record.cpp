#include "gate/records/record.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmp.h>
#include <mpfr.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <fstream>
#include <random>
#include <system_error>
#include <thread>

#include "gate/device/device.hpp"
#include "gate/installation.hpp"
#include "gate/records/failure_file.hpp"
#include "gate/records/version.hpp"

namespace driftgate::gate {
namespace {

using json = nlohmann::json;
constexpr const char* schema = "driftgate.record/1";

json machine() {
  utsname system{};
  uname(&system);
  return {{"device", device::missing().empty() ? device::description() : "cpu"},
          {"name", processor()},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"cores", std::thread::hardware_concurrency()}};
}

// JSON has no infinity.
json number_or_null(double x) {
  return std::isfinite(x) ? json(x) : json(nullptr);
}

json tiers_of(const rules::tally& tally) {
  json tiers = json::object();
  for (std::size_t k = 0; k < rules::tier_count; ++k) {
    std::uint64_t n = 0;
    for (const rules::output_tally& t : tally) n += t.tiers[k];
    tiers[rules::tier_names[k]] = n;
  }
  return tiers;
}

json outputs_of(const rules::tally& tally, const rules::description& rule) {
  json outputs = json::object();
  for (std::size_t r = 0; r < rule.roles.size(); ++r) {
    const rules::output_tally& t = tally[r];
    if (t.judged == 0) continue;
    outputs[rule.roles[r].name] = {{"judged", t.judged},
                                   {"failed", t.failed},
                                   {"unresolved", t.unresolved},
                                   {"max_ratio", number_or_null(std::fmax(t.worst.ratio, 0))},
                                   {"histogram", t.histogram}};
  }
  return outputs;
}

json inputs_of(const properties::law_report& report) {
  const properties::input_statistics& s = report.inputs;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  const json tiers = tiers_of(report.tally);
  std::uint64_t judged = 0;
  for (const rules::output_tally& t : report.tally) judged += t.judged;
  return {{"count", s.count},
          {"subnormal", share(s.subnormal, s.count)},
          {"zero", share(s.zero, s.count)},
          {"infinite", share(s.infinite, s.count)},
          {"nan", share(s.nan, s.count)},
          {"power_of_two", share(s.power_of_two, s.count)},
          {"tie", share(s.ties, s.outputs_sampled)},
          {"special", share(tiers.at("special").get<std::uint64_t>(), judged)},
          {"ill_posed", share(tiers.at("ill_posed").get<std::uint64_t>(), judged)}};
}

// As a shell wants it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,:=@%";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

json contract_record(const properties::contract& promised) {
  return {{"dtypes", promised.dtypes_text},
          {"options", promised.options_text},
          {"numerics", promised.numerics_text},
          {"budget", promised.budget_text}};
}

const char* level_name(properties::level depth) {
  return depth == properties::level::full ? "full" : "quick";
}

std::string new_run_id() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}", source(), source());
}

std::string replay_command(const std::string& failure_file) {
  return fmt::format("{} replay {}", quoted(program_command()), quoted(failure_file));
}

json run_record(const std::string& run, const std::vector<std::string>& command, std::uint64_t seed,
                properties::level depth) {
  const std::string commit = version::commit;
  return {{"schema", schema},
          {"type", "run"},
          {"run", run},
          {"time", now()},
          {"command", command},
          {"version", version::number},
          {"commit", commit.empty() ? json(nullptr) : json(commit)},
          {"seed", seed},
          {"level", level_name(depth)},
          {"machine", machine()},
          {"libraries",
           {{"mpfr", mpfr_get_version()},
            {"gmp", gmp_version},
            {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                                FMT_VERSION % 100)},
            {"compiler", __VERSION__}}}};
}

json result_record(const std::string& run, const result& r, const rules::description& rule) {
  const properties::law_report& report = r.report;
  json record = {{"schema", schema},
                 {"type", "result"},
                 {"run", run},
                 {"kernel", r.kernel.name},
                 {"rule", r.kernel.rule},
                 {"source", r.source},
                 {"device", r.kernel.device},
                 {"contract", contract_record(r.kernel)},
                 {"unverified", properties::unverified_promises(r.kernel)},
                 {"law", r.law},
                 {"verdict", std::string(properties::name(report.result))},
                 {"detail", report.detail},
                 {"seed", report.seed},
                 {"cases", report.cases},
                 {"outputs_judged", report.outputs_judged},
                 {"seconds", report.seconds},
                 {"worst_ratio", nullptr},
                 {"tiers", tiers_of(report.tally)},
                 {"audited", 0},
                 {"outputs", outputs_of(report.tally, rule)},
                 {"inputs", inputs_of(report)},
                 {"figures", report.figures},
                 {"failure", nullptr}};
  std::uint64_t audited = 0;
  for (const rules::output_tally& t : report.tally) audited += t.audited;
  record["audited"] = audited;
  if (report.worst_ratio() >= 0) record["worst_ratio"] = number_or_null(report.worst_ratio());
  if (report.failure) {
    record["failure"] = describe_failure(*report.failure, rule, r.stage);
    record["failure"]["file"] = r.failure_file;
    record["failure"]["replay"] = replay_command(r.failure_file);
  }
  return record;
}

json end_record(const std::string& run, int exit_code, double seconds,
                const std::vector<result>& results, const std::string& error) {
  using properties::verdict;
  const auto count = [&](const auto& counts) {
    return std::count_if(results.begin(), results.end(),
                         [&](const result& r) { return counts(r.report.result); });
  };
  return {{"schema", schema},
          {"type", "end"},
          {"run", run},
          {"exit", exit_code},
          {"seconds", seconds},
          {"results", results.size()},
          {"verified", count([](verdict v) { return v == verdict::verified; })},
          {"failed", count(properties::is_failure)},
          {"ill_posed", count([](verdict v) { return v == verdict::ill_posed; })},
          {"skipped", count([](verdict v) { return v == verdict::skipped; })},
          {"error", error.empty() ? json(nullptr) : json(error)}};
}

}  // namespace driftgate::gate
