#include "gate/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gate/records/failure_file.hpp"
#include "properties/laws/stage.hpp"

namespace driftgate::gate {
namespace {

// The contract's roles and options must be the rule's.
void check_against_rule(const properties::contract& c, const rules::rule* rule) {
  if (!rule) {
    std::string known;
    for (const rules::rule* r : rules::all_rules()) known += " " + r->about().name;
    throw properties::contract_error(
        fmt::format("kernel {}: unknown rule \"{}\"; known:{}", c.name, c.rule, known));
  }
  const rules::description& about = rule->about();
  std::string roles;
  std::string options;
  for (const rules::role& r : about.roles) roles += " " + r.name;
  for (const rules::option& o : about.options) options += " " + o.name;
  for (const auto& [role, format] : c.dtypes) {
    if (!about.find_role(role)) {
      throw properties::contract_error(fmt::format(
          "kernel {}: rule {} has no role \"{}\"; known:{}", c.name, c.rule, role, roles));
    }
    if (format != formats::format_id::f32) {
      throw properties::unsupported_error(
          fmt::format("kernel {}: {}={} is a known word, but this version verifies f32 only",
                      c.name, role, formats::name(format)));
    }
  }
  for (const std::string& option : c.options) {
    if (!about.is_option(option)) {
      throw properties::contract_error(fmt::format(
          "kernel {}: rule {} has no option \"{}\"; known:{}", c.name, c.rule, option, options));
    }
  }
  for (const rules::role& r : about.roles) {
    const bool needed = r.option.empty() || c.options.contains(r.option);
    if (needed && !c.dtypes.contains(r.name)) {
      throw properties::contract_error(
          fmt::format("kernel {}: dtypes names no format for the role {}", c.name, r.name));
    }
  }
  const bool plain = c.compute == formats::format_id::f32 &&
                     c.round == properties::rounding::nearest && !c.flush_subnormals;
  if (!plain) {
    throw properties::unsupported_error(
        fmt::format("kernel {}: numerics \"{}\" is known, but this version verifies compute=f32 "
                    "rounding=nearest subnormals=keep only",
                    c.name, c.numerics_text));
  }
}

result run_one(const campaign& c, const kernel_under_test& kernel, const properties::law& l,
               properties::subject& subject, rules::audit& auditor) {
  result r;
  r.kernel = kernel.promised;
  r.source = kernel.source();
  r.law = l.name;
  r.report = properties::run_law(l, subject, *kernel.rule, c.settings, auditor);
  if (!r.report.failure) return r;
  r.stage = properties::first_stage(subject, *kernel.rule, *r.report.failure);
  const auto file = c.failures / fmt::format("{}.{}.json", kernel.promised.name, l.name);
  const auto plugin = kernel.from.plugin.empty()
                          ? std::string()
                          : std::filesystem::absolute(kernel.from.plugin).string();
  write_failure(
      file, {kernel.promised.name, plugin, kernel.promised.rule, l.name, r.report.failure->spec},
      describe_failure(*r.report.failure, kernel.rule->about(), r.stage));
  r.failure_file = file.string();
  return r;
}

}  // namespace

std::vector<kernel_under_test> kernels_of(const host::kernel_source& source,
                                          const host::options& how) {
  std::vector<kernel_under_test> kernels;
  for (const properties::contract_words& words : host::describe(source, how)) {
    kernel_under_test k{source, properties::parse_contract(words), nullptr};
    if (k.promised.device != "cpu") continue;
    k.rule = rules::find_rule(k.promised.rule);
    check_against_rule(k.promised, k.rule);
    kernels.push_back(std::move(k));
  }
  return kernels;
}

std::vector<result> run(const campaign& c, const kernel_under_test& kernel) {
  host::options how = c.how;
  how.seed = c.settings.seed;
  const auto subject = host::open(kernel.from, kernel.promised.name, how);
  rules::audit auditor;
  auditor.seed = c.settings.seed;
  if (c.started) c.started(kernel);
  std::vector<result> results;
  std::string hung;
  for (const properties::law& l : properties::all_laws()) {
    if (!c.laws.empty() && std::find(c.laws.begin(), c.laws.end(), l.name) == c.laws.end())
      continue;
    result r;
    if (hung.empty()) {
      r = run_one(c, kernel, l, *subject, auditor);
      if (r.report.result == properties::verdict::timed_out) hung = l.name;
    } else {
      r.kernel = kernel.promised;
      r.source = kernel.source();
      r.law = l.name;
      r.report.of = &l;
      r.report.result = properties::verdict::skipped;
      r.report.detail = "the kernel hung in " + hung;
    }
    if (c.finished) c.finished(r);
    results.push_back(std::move(r));
  }
  return results;
}

int exit_code_of(const std::vector<result>& results) {
  bool verified = false;
  for (const result& r : results) {
    const properties::verdict v = r.report.result;
    verified = verified || v == properties::verdict::verified;
    if (v == properties::verdict::ill_posed) continue;
    if (v != properties::verdict::verified && v != properties::verdict::skipped) return divergence;
  }
  for (const result& r : results) {
    if (r.report.result == properties::verdict::ill_posed) return nothing_verified;
  }
  return verified ? all_verified : nothing_verified;
}

}  // namespace driftgate::gate
