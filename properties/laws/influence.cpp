// Every input and every hyperparameter has its influence: where changing it moves the exact result
// by more than both budgets, it changes the kernel's bits. Also the proof that the generators are
// not vacuous: the law fails the suite if some input never mattered.
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

struct enclosed_run {
  outcome after;
  std::vector<std::vector<double>> value, error;
};

std::optional<violation> run_enclosed(law_context& with, const case_spec& spec,
                                      const expanded_case& data, enclosed_run& into) {
  if (auto v = with.run(make_job(spec, data), into.after)) return v;
  rules::elements block;
  block.count = static_cast<std::size_t>(spec.elements());
  std::array<double*, rules::max_roles> value{}, error{};
  into.value.assign(data.roles.size(), std::vector<double>(block.count));
  into.error = into.value;
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    block.before[r] = data.data[r].data();
    value[r] = into.value[r].data();
    error[r] = into.error[r].data();
  }
  with.oracle(spec)->enclose(block, value, error);
  return std::nullopt;
}

// A value of the same scalar that is far enough away to matter.
double other_value(const std::string& name, double usual) {
  if (name.starts_with("beta")) return usual == 0.5 ? 0.75 : 0.5;
  return usual == 0 ? 1 : usual * 0.25;
}

std::optional<violation> compare(law_context& with, const case_spec& spec, const std::string& input,
                                 const enclosed_run& a, const enclosed_run& b) {
  for (const std::size_t r : with.outputs(spec)) {
    const rules::role& of = with.about().roles[r];
    const std::string& role = of.name;
    const auto x = floats(a.after, of);
    const auto y = floats(b.after, of);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const stored_range before = range_of(of, a.value[r][i], a.error[r][i], 2);
      const stored_range after = range_of(of, b.value[r][i], b.error[r][i], 2);
      if (!before.apart_from(after)) continue;
      if (with.counting) with.seen.insert(std::string(input).append(" -> ").append(role));
      if (with.counting) ++with.outputs_compared;
      if (std::bit_cast<std::uint32_t>(x[i]) != std::bit_cast<std::uint32_t>(y[i])) continue;
      violation v;
      v.output = role;
      v.element = i;
      v.got = y[i];
      v.sentence = fmt::format(
          "{} has no influence on {}[{}]: the exact value moves from {:.9g} to "
          "{:.9g}, the kernel's stays {:.9g}",
          input, role, i, a.value[r][i], b.value[r][i], y[i]);
      return v;
    }
  }
  return std::nullopt;
}

std::optional<violation> check(law_context& with, const case_spec& drawn) {
  case_spec spec = drawn;
  const expanded_case data = expand(spec, with.about());
  enclosed_run base;
  if (auto v = run_enclosed(with, spec, data, base)) return v;

  for (const rules::scalar& s : with.about().scalars) {
    case_spec changed = spec;
    double& value = changed.scalars.at(s.name);
    const bool is_switch = with.about().is_option(s.name);
    if (is_switch && !with.promised().options.contains(s.name)) continue;
    // A switch may bring a state into play: compared under the smaller set of outputs.
    value = is_switch ? 1 - value : with.about().passed(s.name, other_value(s.name, value));
    enclosed_run moved;
    if (auto v = run_enclosed(with, changed, data, moved)) return v;
    if (auto v = compare(with, is_switch && value == 0 ? changed : spec, s.name, base, moved)) {
      return v;
    }
  }
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    const rules::role& role = with.about().roles[r];
    if (!role.option.empty() && spec.scalars.at(role.option) == 0) continue;
    expanded_case changed = data;
    case_spec reseeded = spec;
    reseeded.seed = mix(spec.seed, 4, r);
    draw_role(reseeded, with.about(), role, changed.data[r]);
    enclosed_run moved;
    if (auto v = run_enclosed(with, spec, changed, moved)) return v;
    // What is written over unread, as a copy of another role is, has none.
    if (with.about().source_of(role.name) != &role) {
      const bool counting = std::exchange(with.counting, false);
      auto v = with.judge(spec, changed, moved.after);
      with.counting = counting;
      if (v) return v;
    }
    if (auto v = compare(with, spec, role.name, base, moved)) return v;
  }
  return std::nullopt;
}

std::string covered(const law_context& with) {
  const auto seen = [&](const std::string& input) {
    for (const std::string& pair : with.seen) {
      if (pair.starts_with(input + " -> ")) return true;
    }
    return false;
  };
  for (const rules::scalar& s : with.about().scalars) {
    const bool skipped =
        with.about().is_option(s.name) && !with.promised().options.contains(s.name);
    if (!skipped && !seen(s.name)) return "no case in which " + s.name + " matters";
  }
  for (const rules::role& role : with.about().roles) {
    if (!with.supports(role)) continue;
    for (const std::string& input : role.inputs) {
      const rules::role* from = with.about().find_role(input);
      if (with.supports(*from) && !with.seen.contains(input + " -> " + role.name)) {
        return "no case in which " + input + " matters to " + role.name;
      }
    }
  }
  return "";
}

}  // namespace

law influence() {
  law l{"influence", "every input and every hyperparameter has its influence", {}, 40, 200, check};
  l.profile.draws = {distribution::training, distribution::update_visible,
                     distribution::division_visible};
  l.profile.elements_up_to = 600;
  l.covered = covered;
  return l;
}

}  // namespace driftgate::properties
