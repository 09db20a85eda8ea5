#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::optional<violation> not_completed(const outcome& o) {
  violation v;
  v.sentence = o.detail;
  switch (o.status) {
    case run_status::completed:
      return std::nullopt;
    case run_status::error_code:
      v.what = verdict::error_code;
      break;
    case run_status::crashed:
      v.what = verdict::crashed;
      break;
    case run_status::timed_out:
      v.what = verdict::timed_out;
      break;
  }
  return v;
}

// The tiers before these two decide by value and budget.
constexpr auto by_budget_tiers = static_cast<std::ptrdiff_t>(rules::tier::special);

// What a role holds after the job if no kernel writes it.
const std::vector<std::byte>& untouched(const job& j, const role_data& role) {
  const std::vector<std::byte>* bytes = &role.bytes;
  for (const step_arguments& s : j.steps) {
    for (const role_data& renewed : s.renewed) {
      if (renewed.role == role.role) bytes = &renewed.bytes;
    }
  }
  return *bytes;
}

// Whether some step of the job updates the role.
bool updates(const job& j, const rules::role& role) {
  if (!role.is_mutable) return false;
  return std::any_of(j.steps.begin(), j.steps.end(), [&](const step_arguments& s) {
    if (role.option.empty() || is_skipped(s)) return !is_skipped(s);
    return std::any_of(s.scalars.begin(), s.scalars.end(), [&](const auto& scalar) {
      return scalar.first == role.option && scalar.second != 0;
    });
  });
}

bool is_inside(const job& j, const stray_write& w) {
  for (const role_data& role : j.roles) {
    if (role.role != w.role) continue;
    const std::int64_t elements = std::accumulate(j.sizes.begin(), j.sizes.end(), std::int64_t{0});
    const auto width =
        static_cast<std::int64_t>(role.bytes.size()) / std::max<std::int64_t>(elements, 1);
    return w.offset >= 0 && w.offset < j.sizes.at(w.tensor) * width;
  }
  return false;
}

// A write to a tensor that is read only, or that is nobody's any more.
violation written_at_the_wrong_time(const rules::description& about, const stray_write& w) {
  violation v;
  const rules::role* role = about.find_role(w.role);
  const bool read_only = role != nullptr && !role->is_mutable;
  v.what = read_only ? verdict::input_modified : verdict::out_of_bounds_write;
  v.output = w.role;
  v.sentence = fmt::format("byte {} of {}[{}] was written {}", w.offset, w.role, w.tensor,
                           read_only ? "during a step, which only reads it"
                                     : "after the last step had returned: in release, or by a "
                                       "thread that the step did not wait for");
  return v;
}

std::optional<violation> stray_write_of(const rules::description& about, const job& j,
                                        const outcome& o) {
  violation v;
  if (!o.stray_writes.empty()) {
    const stray_write& w = o.stray_writes.front();
    if (is_inside(j, w)) return written_at_the_wrong_time(about, w);
    v.what = verdict::out_of_bounds_write;
    v.sentence = fmt::format(
        "{} place{} that the kernel must not write changed, the first {} bytes from the start of "
        "tensor {} of {}",
        o.stray_writes.size(), o.stray_writes.size() == 1 ? "" : "s", w.offset, w.tensor, w.role);
    return v;
  }
  v.what = verdict::input_modified;
  if (!o.floating_point_environment_kept) {
    v.sentence = "the caller's rounding mode, flushing of subnormals or traps are not as they were";
    return v;
  }
  if (!o.arguments_kept) {
    v.sentence =
        "the arrays that a dg_step points to (lists, tensors, shapes, scalars) were written";
    return v;
  }
  if (o.wrong_scalar_role) {
    v.output = o.wrong_scalar_role->first;
    v.what = v.output == "step" ? verdict::diverged : verdict::input_modified;
    v.sentence = o.wrong_scalar_role->second;
    return v;
  }
  for (const role_data& before : j.roles) {
    const rules::role* role = about.find_role(before.role);
    if (role == nullptr || updates(j, *role)) continue;
    if (bytes_of(o, before.role) == untouched(j, before)) continue;
    v.output = before.role;
    v.sentence =
        before.role + (role->is_mutable && std::all_of(j.steps.begin(), j.steps.end(), is_skipped)
                           ? " was written, though the step is skipped"
                           : " was written, which this step only reads");
    return v;
  }
  return std::nullopt;
}

}  // namespace

std::string lacks_an_output(const law_context& with) {
  for (const rules::role& role : with.about().roles) {
    if (role.is_mutable && role.option.empty() && !with.seen.contains(role.name)) {
      return "no case tested " + role.name;
    }
  }
  return "";
}

std::string lacks_a_supported_output(const law_context& with) {
  for (const rules::role& role : with.about().roles) {
    if (role.is_mutable && with.supports(role) && !with.seen.contains(role.name)) {
      return "no case tested " + role.name;
    }
  }
  return "";
}

std::string without_reproducible_bits(const contract& promised) {
  return promised.reproducible ? "" : "the kernel promises no reproducible bits (bits=none)";
}

std::vector<float> floats(const outcome& o, const rules::role& role) {
  return decode(role.format, bytes_of(o, role.name));
}

const std::vector<std::byte>& bytes_of(const outcome& o, const std::string& role) {
  for (const role_data& r : o.roles) {
    if (r.role == role) return r.bytes;
  }
  throw std::logic_error("an outcome lacks the role " + role);
}

role_data make_role(const rules::role& role, std::span<const float> data) {
  return {role.name, encode(role.format, data)};
}

stored_range range_of(const rules::role& role, double value, double error, double slack) {
  const double low = value - slack * error;
  const double high = value + slack * error;
  // The budget includes the rounding to f32.
  if (role.format == formats::format_id::f32) return {low, high};
  return {formats::round(role.format, low), formats::round(role.format, high)};
}

law_context::law_context(subject& kernel, const rules::rule& rule, level depth, std::uint64_t seed,
                         rules::audit& auditor)
    : kernel_(kernel),
      rule_(rule),
      about_(rule.about().stored_as(kernel.promised().dtypes, kernel.promised().scalar_roles)),
      depth_(depth),
      seed_(seed),
      auditor_(auditor) {}

rules::arithmetic arithmetic_of(const contract& promised) {
  rules::arithmetic how;
  how.compute = promised.compute;
  how.float_coefficients = promised.coefficient == coefficients::f32;
  how.div_ulp = promised.div_ulp;
  how.sqrt_ulp = promised.sqrt_ulp;
  how.stored = promised.dtypes;
  return how;
}

std::unique_ptr<rules::evaluator> law_context::oracle(const case_spec& spec) {
  return rule_.at(spec.step, spec.scalars, arithmetic_of(promised()),
                  counting ? &auditor_ : nullptr);
}

std::vector<std::size_t> law_context::outputs(const case_spec& spec) const {
  std::vector<std::size_t> result;
  for (std::size_t r = 0; r < about().roles.size(); ++r) {
    const rules::role& role = about().roles[r];
    const bool on = role.option.empty() || spec.scalars.at(role.option) != 0;
    if (role.is_mutable && on) result.push_back(r);
  }
  // States first: what is wrong in one shows in the parameter too.
  std::stable_partition(result.begin(), result.end(),
                        [&](std::size_t r) { return about().roles[r].name != "param"; });
  return result;
}

std::optional<violation> law_context::run(std::span<const job> jobs,
                                          std::vector<outcome>& outcomes) {
  outcomes = kernel_.run(jobs);
  return ended_badly(jobs, outcomes);
}

std::optional<violation> law_context::ended_badly(std::span<const job> jobs,
                                                  const std::vector<outcome>& outcomes) const {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const outcome& o = outcomes.at(i);
    if (auto v = not_completed(o)) {
      // A write that hit a guard page tells more than the signal.
      if (o.status != run_status::crashed || o.stray_writes.empty()) return v;
      auto stray = stray_write_of(about(), jobs[i], o);
      stray->sentence += "; " + o.detail;
      return stray;
    }
    // A job that cannot be captured stops there: the law that asked for it says so.
    if (!o.on_device.capture_error.empty()) continue;
    if (auto v = stray_write_of(about(), jobs[i], o)) return v;
  }
  return std::nullopt;
}

bool law_context::supports(const rules::role& role) const {
  return role.option.empty() || promised().options.contains(role.option);
}

std::optional<violation> law_context::run(const job& one, outcome& result) {
  std::vector<outcome> outcomes;
  auto v = run(std::span(&one, 1), outcomes);
  if (!v) result = std::move(outcomes.front());
  return v;
}

std::optional<violation> law_context::judge(const case_spec& spec, const expanded_case& before,
                                            const outcome& after) {
  const auto oracle_here = oracle(spec);
  rules::elements block;
  block.count = static_cast<std::size_t>(spec.elements());
  std::vector<std::vector<float>> results(about().roles.size());
  const auto updated = outputs(spec);
  for (std::size_t r = 0; r < about().roles.size(); ++r) {
    const std::string& option = about().roles[r].option;
    if (!option.empty() && spec.scalars.at(option) == 0) continue;
    block.before[r] = before.data[r].data();
  }
  for (const std::size_t r : updated) {
    results[r] = floats(after, about().roles[r]);
    block.after[r] = results[r].data();
  }
  rules::tally found;
  for (std::size_t r : updated) found[r].worst.ratio = counting ? tally[r].worst.ratio : -1;
  oracle_here->judge(block, 0, found);

  std::optional<violation> v;
  for (const std::size_t r : updated) {
    const rules::output_tally& t = found[r];
    if (t.failed == 0 || v) continue;
    v.emplace();
    v->output = about().roles[r].name;
    // The worst element tells more than the first, where it is known.
    const bool worst_known = t.worst.ratio > 1 && t.worst.index < block.count;
    const std::uint64_t element = worst_known ? t.worst.index : t.first_failure;
    v->element = element;
    v->got = results[r][element];
    v->judged = oracle_here->describe(block, element, r);
    v->what = t.nan_mismatches == t.failed ? verdict::nan_mismatch
              : t.unwritten == t.failed    ? verdict::unwritten
                                           : verdict::diverged;
    v->sentence = fmt::format("{}{} of {} elements of {} are outside the budget",
                              t.unresolved > 0 ? "at least " : "", t.failed, t.judged, v->output);
  }
  if (counting) {
    for (const std::size_t r : updated) {
      const double worst_before = tally[r].worst.ratio;
      tally[r].add(found[r]);
      const auto& tiers = found[r].tiers;
      const auto by_budget = std::accumulate(tiers.begin(), tiers.begin() + by_budget_tiers, 0ull);
      if (by_budget > 0) seen.insert(about().roles[r].name);
      if (!v) tally[r].worst.ratio = std::max(worst_before, found[r].worst.ratio);
    }
  }
  return v;
}

std::optional<violation> law_context::same_result(const case_spec& spec, const expanded_case& data,
                                                  const outcome& a, const outcome& b, verdict what,
                                                  const std::string& sentence) {
  return promised().reproducible ? same_bits(spec, a, b, what, sentence) : judge(spec, data, b);
}

std::optional<violation> law_context::same_bits(const case_spec& spec, const outcome& a,
                                                const outcome& b, verdict what,
                                                const std::string& sentence) {
  for (const std::size_t r : outputs(spec)) {
    const formats::format_id format = about().roles[r].format;
    const std::string& role = about().roles[r].name;
    const auto x = floats(a, about().roles[r]);
    const auto y = floats(b, about().roles[r]);
    if (counting) outputs_compared += x.size();
    if (counting && !x.empty()) seen.insert(role);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::bit_cast<std::uint32_t>(x[i]) == std::bit_cast<std::uint32_t>(y[i])) continue;
      if (std::isnan(x[i]) && std::isnan(y[i])) continue;
      violation v;
      v.what = what;
      v.output = role;
      v.element = i;
      v.got = y[i];
      const auto digits = static_cast<int>(2 * formats::bytes(format));
      v.sentence = fmt::format("{}: {}[{}] is {:.9g} ({:0{}x}) and {:.9g} ({:0{}x})", sentence,
                               role, i, x[i], formats::encode(format, x[i]), digits, y[i],
                               formats::encode(format, y[i]), digits);
      return v;
    }
  }
  return std::nullopt;
}

}  // namespace driftgate::properties
