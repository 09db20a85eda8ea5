// Every step of a long run is right, from wherever the step before has led: the oracle takes each
// from the kernel's own state. What is new from step to step differs from run to run (the gradient,
// one of its elements, nothing, everything), and so do the steps' numbers; other plans are alive,
// roles are misaligned and in another order, and some runs are moved on the way. What a plan
// remembers, counts or runs out of shows here, whatever a kernel promises about bits.
#include <fmt/format.h>

#include <algorithm>

#include "properties/laws/law.hpp"
#include "properties/laws/training_run.hpp"

namespace driftgate::properties {
namespace {

constexpr std::uint64_t few_steps = 24;
// Longer than any table of coefficients that a plan would hold for the steps to come.
constexpr std::uint64_t many = 1100;

run_style style_of(std::uint64_t seed) {
  const std::uint64_t pick = mix(seed, 21);
  run_style style;
  style.steps = static_cast<numbering>(pick % 3);
  style.scalars = static_cast<hyperparameters>(pick / 3 % 2);
  style.contents = static_cast<renewal>(pick / 6 % 5);
  return style;
}

// As another plan has it: everything else, of the same kind.
job another_plan(const case_spec& spec, const rules::description& about, std::uint64_t which) {
  case_spec other = spec;
  other.seed = mix(spec.seed, 5, which);
  other.sizes = {static_cast<std::int64_t>(9 + which), 4};
  return training_run(other, expand(other, about), about, few_steps);
}

void disturb(job& run, const expanded_case& data, std::uint64_t seed) {
  if (seed % 2 == 0) {
    for (std::size_t r = 0; r < run.roles.size(); ++r) {
      const auto shift =
          static_cast<std::uint32_t>(mix(seed, r, 3) % 64 * formats::bytes(data.formats[r]));
      run.misalignment.push_back(shift);
    }
  }
  if (seed % 3 == 0) {
    std::reverse(run.roles.begin(), run.roles.end());
    std::reverse(run.misalignment.begin(), run.misalignment.end());
    for (step_arguments& s : run.steps) std::reverse(s.scalars.begin(), s.scalars.end());
  }
  if (seed % 5 < 2) run.resume_after = 1 + seed % (run.steps.size() - 1);
}

// The state that a step starts from: the last one's results, and what is new.
expanded_case state_of(const rules::description& about, const std::vector<role_data>& roles,
                       const step_arguments& next) {
  outcome at;
  at.roles = roles;
  for (const role_data& renewed : next.renewed) {
    for (role_data& role : at.roles) {
      if (role.role == renewed.role) role.bytes = renewed.bytes;
    }
  }
  expanded_case data;
  for (const rules::role& role : about.roles) {
    data.roles.push_back(role.name);
    data.formats.push_back(role.format);
    data.data.push_back(floats(at, role));
  }
  return data;
}

std::optional<violation> judge_steps(law_context& with, const case_spec& spec, const job& run,
                                     const outcome& result) {
  expanded_case before = expand(spec, with.about());
  for (std::size_t k = 0; k < run.steps.size(); ++k) {
    case_spec now = spec;
    now.step = run.steps[k].step;
    now.scalars = {run.steps[k].scalars.begin(), run.steps[k].scalars.end()};
    if (k > 0) before = state_of(with.about(), result.after_each_step[k - 1], run.steps[k]);
    outcome after;
    after.roles = result.after_each_step.at(k);
    auto v = with.judge(now, before, after);
    if (!v) continue;
    if (k > 0) {
      v->sentence = fmt::format("in step {} of one plan, {}", k + 1, v->sentence);
      v->later = state_at_step{now, before};
    }
    return v;
  }
  return std::nullopt;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  // A long run is the plainest one, so that nothing but its length is unusual.
  const bool is_long = mix(spec.seed, 20) % 16 == 0;
  const run_style style =
      is_long ? run_style{.scalars = hyperparameters::constant} : style_of(spec.seed);
  std::vector<job> plans{training_run(spec, data, with.about(), is_long ? many : few_steps, style)};
  plans.front().keep_every_step = true;
  plans.front().before = static_cast<decoy>(spec.seed % 3);
  disturb(plans.front(), data, mix(spec.seed, 22));
  const std::uint64_t others = mix(spec.seed, 23) % 4 == 0 ? 1 + mix(spec.seed, 24) % 2 * 10 : 0;
  for (std::uint64_t i = 0; i < others; ++i) {
    plans.push_back(another_plan(spec, with.about(), i));
  }
  std::vector<outcome> results;
  if (auto v = with.run(plans, results)) return v;
  return judge_steps(with, spec, plans.front(), results.front());
}

}  // namespace

law many_steps() {
  law l{"many_steps", "every step of a long run is right from where the last one left off",
        {},           80,
        300,          check};
  l.profile.may_skip = true;
  l.profile.draws = {distribution::training};
  l.profile.elements_up_to = 12;
  l.profile.lists_up_to = 4;
  l.profile.plain_scalars = true;  // with lr * weight_decay > 2 a long run only overflows
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
