// A run that is saved, moved to other addresses (half of the time to another process) and resumed
// ends with the same bits as one that was not. Hyperparameters change from step to step, as
// schedules change them: what a plan has kept of them shows.
#include <cmath>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

constexpr std::uint64_t steps = 12;

// The hyperparameters of step k; options stay.
void follow_a_schedule(const rules::description& about, std::uint64_t k, step_arguments& at) {
  for (auto& [name, value] : at.scalars) {
    if (about.is_option(name) || k % 3 == 0) continue;
    value = name.starts_with("beta") ? 1 - std::ldexp(1 - value, -static_cast<int>(k % 3))
                                     : std::ldexp(value, -static_cast<int>(k % 3));
  }
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const rules::role& gradient = *with.about().find_role("grad");
  job straight = make_job(spec, data);
  const step_arguments first = straight.steps.front();
  for (std::uint64_t k = 1; k < steps; ++k) {
    case_spec later = spec;
    later.seed = mix(spec.seed, k, 6);
    std::vector<float> g(static_cast<std::size_t>(spec.elements()));
    draw_role(later, with.about(), gradient, g);
    step_arguments next = first;
    next.step += static_cast<std::int64_t>(k);
    next.seed = mix(first.seed, k);
    next.gradient = make_role(gradient, g).bytes;
    follow_a_schedule(with.about(), k, next);
    straight.steps.push_back(next);
  }
  job resumed = straight;
  resumed.resume_after = 1 + spec.seed / 2 % (steps - 1);
  outcome a, b;
  if (auto v = with.run(straight, a)) return v;
  if (auto v = with.run(resumed, b)) return v;
  return with.same_bits(spec, a, b, verdict::bits_differ, "twelve steps at a stretch, and resumed");
}

}  // namespace

law save_resume() {
  law l{"save_resume", "saving and resuming changes no bit", {}, 60, 300, check};
  l.profile.draws = {distribution::training, distribution::update_visible, distribution::bits};
  l.profile.elements_up_to = 800;
  l.inapplicable = without_reproducible_bits;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
