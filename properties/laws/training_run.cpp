#include "properties/laws/training_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace driftgate::properties {
namespace {

// The hyperparameters of step k, each on its own schedule; options stay.
void follow_a_schedule(const rules::description& about, std::uint64_t k, step_arguments& at) {
  for (std::size_t i = 0; i < at.scalars.size(); ++i) {
    auto& [name, value] = at.scalars[i];
    const int halvings = static_cast<int>(mix(k, i) % 3);
    if (name == rules::found_inf) value = mix(k, i) % 4 == 1 ? 1 : 0;
    if (about.is_option(name) || halvings == 0) continue;
    value = name.starts_with("beta") ? 1 - std::ldexp(1 - value, -halvings)
                                     : std::ldexp(value, -halvings);
  }
}

std::int64_t number_of(std::int64_t first, std::uint64_t k, numbering style) {
  const auto n = static_cast<std::int64_t>(k);
  switch (style) {
    case numbering::counting:
      break;
    case numbering::jumping:  // on by dozens, and back at times
      return n % 5 == 4 ? first : first + 37 * n;
    case numbering::repeating:
      return first + n / 2;
  }
  return first + n;
}

// The roles that are new before step k. `gradient` is the last one's, and then this one's.
std::vector<role_data> renewed_before(const case_spec& spec, const expanded_case& first,
                                      const rules::description& about, std::uint64_t k,
                                      renewal style, std::vector<float>& gradient) {
  case_spec later = spec;
  later.seed = mix(spec.seed, k, 6);
  const bool by_element = style == renewal::one_element || style == renewal::almost_restored;
  std::vector<role_data> renewed;
  for (std::size_t r = 0; r < about.roles.size(); ++r) {
    const rules::role& role = about.roles[r];
    std::vector<float> fresh(gradient.size());
    draw_role(later, about, role, fresh);
    if (role.name == "grad") {
      const std::size_t one = mix(spec.seed, k, 7) % std::max<std::size_t>(gradient.size(), 1);
      if (by_element && !gradient.empty()) {
        gradient[one] = fresh[one];
      } else {
        gradient = fresh;
      }
      renewed.push_back({role.name, encode(role.format, gradient)});
    } else if (style == renewal::everything) {
      renewed.push_back({role.name, encode(role.format, fresh)});
    } else if (style == renewal::almost_restored) {
      renewed.push_back({role.name, encode(role.format, first.data[r])});
    }
  }
  return renewed;
}

}  // namespace

job training_run(const case_spec& spec, const expanded_case& data, const rules::description& about,
                 std::uint64_t steps, const run_style& style) {
  job run = make_job(spec, data);
  std::vector<float> gradient(static_cast<std::size_t>(spec.elements()));
  draw_role(spec, about, *about.find_role("grad"), gradient);
  const step_arguments first = run.steps.front();
  std::uint64_t skipped = 0;
  for (std::uint64_t k = 1; k < steps; ++k) {
    step_arguments next = first;
    // A step that was skipped has not counted.
    skipped += is_skipped(run.steps.back());
    next.step = number_of(first.step, k - skipped, style.steps);
    next.seed = mix(first.seed, k);
    if (style.contents != renewal::nothing) {
      next.renewed = renewed_before(spec, data, about, k, style.contents, gradient);
    }
    if (style.scalars == hyperparameters::scheduled) follow_a_schedule(about, k, next);
    run.steps.push_back(std::move(next));
  }
  return run;
}

}  // namespace driftgate::properties
