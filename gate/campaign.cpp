#include "gate/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "gate/device/device.hpp"
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
  }
  for (const std::string& role : c.scalar_roles) {
    const auto is_the_role = [&](const rules::scalar& s) { return s.name == role; };
    if (role == "lr" && std::none_of(about.scalars.begin(), about.scalars.end(), is_the_role)) {
      throw properties::contract_error(
          fmt::format("kernel {}: rule {} has no scalar \"{}\"", c.name, c.rule, role));
    }
  }
  for (const std::string& option : c.options) {
    if (!about.is_option(option)) {
      throw properties::contract_error(fmt::format(
          "kernel {}: rule {} has no option \"{}\"; known:{}", c.name, c.rule, option, options));
    }
  }
  for (const rules::role& r : about.roles) {
    const bool needed = r.stands_for.empty() && (r.option.empty() || c.options.contains(r.option));
    if (needed && !c.dtypes.contains(r.name)) {
      throw properties::contract_error(
          fmt::format("kernel {}: dtypes names no format for the role {}", c.name, r.name));
    }
  }
}

// What the contract's words mean must be within this version's reach.
void check_supported(const properties::contract& c, const rules::description& about) {
  using enum formats::format_id;
  for (const auto& [role, format] : c.dtypes) {
    const rules::role& r = *about.find_role(role);
    // Without a state of its own, a role may be stored in fewer bits than it is computed in.
    const bool may_be_narrow = role == "param" || !r.is_mutable;
    if (format == f32 || (may_be_narrow && (format == bf16 || format == f16))) continue;
    throw properties::unsupported_error(fmt::format(
        "kernel {}: {}={} is a known word, but this version verifies {} only", c.name, role,
        formats::name(format), may_be_narrow ? "f32, bf16 and f16 there" : "f32 there"));
  }
  for (const rules::role& r : about.roles) {
    const bool in_its_place = !r.stands_for.empty() && c.dtypes.contains(r.name);
    if (!in_its_place || c.dtypes.at(r.stands_for) != f32) continue;
    throw properties::unsupported_error(
        fmt::format("kernel {}: {}=f32 is no narrower than the {} that it would be a copy of",
                    c.name, r.stands_for, r.name));
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

// A result without anything in it yet.
result blank(const kernel_under_test& kernel, const properties::law& l) {
  result r;
  r.kernel = kernel.promised;
  r.source = kernel.source();
  r.law = l.name;
  r.report.of = &l;
  return r;
}

result skipped(const kernel_under_test& kernel, const properties::law& l,
               const std::string& reason) {
  result r = blank(kernel, l);
  r.report.result = properties::verdict::skipped;
  r.report.detail = reason;
  return r;
}

void keep_failure(const campaign& c, const kernel_under_test& kernel, result& r) {
  const auto file = c.failures / fmt::format("{}{}.{}.json", kernel.promised.name,
                                             kernel.promised.device == "cpu" ? "" : ".cuda", r.law);
  const auto plugin = kernel.from.plugin.empty()
                          ? std::string()
                          : std::filesystem::absolute(kernel.from.plugin).string();
  write_failure(file,
                {kernel.promised.name, kernel.promised.device, plugin, kernel.promised.rule, r.law,
                 r.report.failure->spec},
                describe_failure(*r.report.failure, kernel.about(), r.stage));
  r.failure_file = file.string();
}

// One kernel's laws, one after the other.
class laws_of_kernel {
 public:
  laws_of_kernel(const campaign& c, const kernel_under_test& kernel)
      : campaign_(c), kernel_(kernel) {
    auditor_.seed = c.settings.seed;
    if (!kernel.skipped.empty()) return;
    host::options how = c.how;
    how.seed = c.settings.seed;
    opened_ = open_kernel(kernel, how);
  }

  void run(const properties::law& l) {
    if (!kernel_.skipped.empty()) return finish(skipped(kernel_, l, kernel_.skipped));
    if (!hung_.empty()) return finish(skipped(kernel_, l, "the kernel hung in " + hung_));
    result r = blank(kernel_, l);
    r.report = properties::run_law(l, *opened_.subject, *kernel_.rule, campaign_.settings, auditor_,
                                   opened_.on_host.get());
    if (r.report.result == properties::verdict::timed_out) hung_ = l.name;
    if (!r.report.failure) return finish(r);
    // Whatever goes wrong from here on is no reason to keep quiet about the failure itself.
    std::exception_ptr lost = r.report.cut_short_by;
    const auto attempt = [&lost](const auto& what) {
      try {
        what();
      } catch (...) {
        if (!lost) lost = std::current_exception();
      }
    };
    if (!lost) {
      attempt([&] {
        r.stage = properties::first_stage(*opened_.subject, *kernel_.rule, *r.report.failure);
      });
    }
    attempt([&] { keep_failure(campaign_, kernel_, r); });
    finish(r);
    if (lost) std::rethrow_exception(lost);
  }

  std::vector<result> results;

 private:
  void finish(const result& r) {
    results.push_back(r);
    if (campaign_.finished) campaign_.finished(r);
  }

  const campaign& campaign_;
  const kernel_under_test& kernel_;
  opened_kernel opened_;
  rules::audit auditor_;
  std::string hung_;
};

template <class... Errors>
bool is_one_of(const std::exception& error) {
  return (... || (dynamic_cast<const Errors*>(&error) != nullptr));
}

}  // namespace

stopped::stopped(int number)
    : std::runtime_error(fmt::format("stopped by signal {} ({})", number, strsignal(number))),
      signal(number) {}

int exit_code_of(const std::exception& error) {
  if (const auto* by = dynamic_cast<const stopped*>(&error)) return 128 + by->signal;
  if (is_one_of<bad_request, host::unusable_plugin, unreadable_failure, properties::contract_error,
                properties::unsupported_error>(error)) {
    return bad_usage;
  }
  return suite_failed;  // precision, audit, memory, disk
}

opened_kernel open_kernel(const kernel_under_test& kernel, const host::options& how) {
  const properties::contract& promised = kernel.promised;
  opened_kernel opened{host::open(kernel.from, kernel.described, how), nullptr};
  if (kernel.has_host_build) opened.on_host = host::open(kernel.from, promised.name, how);
  return opened;
}

std::vector<kernel_under_test> kernels_of(const host::kernel_source& source,
                                          const host::options& how, const std::string& name) {
  std::vector<kernel_under_test> kernels;
  std::string known;
  for (const host::description& described : host::describe(source, how)) {
    const properties::contract_words& words = described.words;
    known += " " + words.name;
    if (!name.empty() && words.name != name) continue;
    kernel_under_test k{source, properties::parse_contract(words), nullptr};
    k.described = described;
    k.rule = rules::find_rule(k.promised.rule);
    check_against_rule(k.promised, k.rule);
    check_supported(k.promised, k.rule->about());
    if (k.promised.device == "cuda") k.skipped = device::missing();
    kernels.push_back(std::move(k));
  }
  for (kernel_under_test& k : kernels) {
    k.has_host_build = k.promised.device != "cpu" &&
                       std::any_of(kernels.begin(), kernels.end(), [&](const auto& other) {
                         return other.promised.name == k.promised.name &&
                                other.promised.rule == k.promised.rule &&
                                other.promised.device == "cpu";
                       });
  }
  if (kernels.empty()) {
    const std::string where = source.plugin.empty() ? "" : " in " + source.plugin.string();
    throw bad_request(fmt::format("there is no kernel \"{}\"{}; known:{}", name, where, known));
  }
  return kernels;
}

std::vector<result> run(const campaign& c, const kernel_under_test& kernel) {
  laws_of_kernel laws(c, kernel);
  if (c.started) c.started(kernel);
  for (const properties::law& l : properties::all_laws()) {
    if (!c.laws.empty() && std::find(c.laws.begin(), c.laws.end(), l.name) == c.laws.end())
      continue;
    if (l.device_only && kernel.promised.device == "cpu") continue;
    try {
      laws.run(l);
    } catch (const stopped&) {
      throw;
    } catch (const std::exception& e) {
      throw suite_failure(fmt::format("{}: {}: {}", kernel.promised.name, l.name, e.what()));
    }
  }
  return laws.results;
}

int exit_code_of(const std::vector<result>& results) {
  using properties::verdict;
  const auto any = [&](const auto& of) {
    return std::any_of(results.begin(), results.end(),
                       [&](const result& r) { return of(r.report.result); });
  };
  if (any(properties::is_failure)) return divergence;
  if (any([](verdict v) { return v == verdict::ill_posed; })) return nothing_verified;
  return any([](verdict v) { return v == verdict::verified; }) ? all_verified : nothing_verified;
}

std::string why_not_verified(const std::vector<result>& results) {
  for (const result& r : results) {
    if (r.report.result != properties::verdict::ill_posed) continue;
    return fmt::format("{}: {} is not verified: {}", r.kernel.name, r.law, r.report.detail);
  }
  if (results.empty()) return "nothing was verified";
  const result& first = results.front();
  return fmt::format("nothing was verified: {}: {}", first.kernel.name, first.report.detail);
}

}  // namespace driftgate::gate
