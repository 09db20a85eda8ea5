// Every step of a long run is right, from wherever the step before has led: the oracle takes each
// from the kernel's own state. Gradients and hyperparameters change from step to step, another plan
// is stepped in between, roles are misaligned and in another order, and some runs are moved on the
// way. What a plan remembers, counts or runs out of shows here, whatever a kernel promises about
// bits.
#include <fmt/format.h>

#include <algorithm>

#include "properties/laws/law.hpp"
#include "properties/laws/training_run.hpp"

namespace driftgate::properties {
namespace {

constexpr std::uint64_t few_steps = 24;
// Longer than any table of coefficients that a plan would hold for the steps to come.
constexpr std::uint64_t many = 1100;

// As a second plan has it: everything else, of the same kind.
job another_plan(const case_spec& spec, const rules::description& about, std::uint64_t steps) {
  case_spec other = spec;
  other.seed = mix(spec.seed, 5);
  other.sizes = {9, 4};
  return training_run(other, expand(other, about), about, steps);
}

void disturb(job& run, std::uint64_t seed) {
  if (seed % 2 == 0) {
    for (std::size_t r = 0; r < run.roles.size(); ++r) {
      const auto shift = static_cast<std::uint32_t>(mix(seed, r, 3) % 64 * sizeof(float));
      run.misalignment.push_back(shift);
    }
  }
  if (seed % 3 == 0) {
    std::reverse(run.roles.begin(), run.roles.end());
    std::reverse(run.misalignment.begin(), run.misalignment.end());
    for (step_arguments& s : run.steps) std::reverse(s.scalars.begin(), s.scalars.end());
  }
  if (seed % 5 == 0) run.resume_after = 1 + seed % (run.steps.size() - 1);
}

// The state that a step starts from: the last one's results, and the new gradient.
expanded_case state_of(const rules::description& about, const std::vector<role_data>& roles,
                       const step_arguments& next) {
  outcome at;
  at.roles = roles;
  expanded_case data;
  for (const rules::role& role : about.roles) {
    data.roles.push_back(role.name);
    data.data.push_back(role.name == "grad" ? floats_of(next.gradient) : floats(at, role.name));
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
      // The case describes the first step; of another one this sentence has to tell.
      v->sentence = fmt::format(
          "in step {} of one plan, {}; {}[{}] is {:.9g}, exact {}, allowed {}", k + 1, v->sentence,
          v->output, *v->element, v->got, v->judged.exact, v->judged.allowed);
      v->element.reset();
      v->judged = {};
    }
    return v;
  }
  return std::nullopt;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const std::uint64_t steps = with.cases % 8 == 0 ? many : few_steps;
  std::vector<job> plans{training_run(spec, data, with.about(), steps)};
  plans.front().keep_every_step = true;
  disturb(plans.front(), spec.seed);
  if (spec.seed % 4 == 1) plans.push_back(another_plan(spec, with.about(), few_steps));
  std::vector<outcome> results;
  if (auto v = with.run(plans, results)) return v;
  return judge_steps(with, spec, plans.front(), results.front());
}

}  // namespace

law many_steps() {
  law l{"many_steps", "every step of a long run is right from where the last one left off",
        {},           40,
        240,          check};
  l.profile.draws = {distribution::training};
  l.profile.elements_up_to = 12;
  l.profile.lists_up_to = 4;
  l.profile.plain_scalars = true;  // with lr * weight_decay > 2 a long run only overflows
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
