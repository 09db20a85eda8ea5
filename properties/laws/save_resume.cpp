// A run that is saved, moved to other addresses (half of the time to another process) and resumed
// ends with the same bits as one that was not.
#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const rules::role& gradient = *with.about().find_role("grad");
  job straight = make_job(spec, data);
  const step_arguments first = straight.steps.front();
  for (std::uint64_t k = 1; k < 6; ++k) {
    case_spec later = spec;
    later.seed = mix(spec.seed, k, 6);
    std::vector<float> g(static_cast<std::size_t>(spec.elements()));
    draw_role(later, gradient, g);
    step_arguments next = first;
    next.step += static_cast<std::int64_t>(k);
    next.seed = mix(first.seed, k);
    next.gradient = make_role("grad", g).bytes;
    straight.steps.push_back(next);
  }
  job resumed = straight;
  resumed.resume_after = 1 + spec.seed / 2 % 5;
  outcome a, b;
  if (auto v = with.run(straight, a)) return v;
  if (auto v = with.run(resumed, b)) return v;
  return with.same_bits(spec, a, b, verdict::bits_differ, "six steps at a stretch, and resumed");
}

}  // namespace

law save_resume() {
  law l{"save_resume", "saving and resuming changes no bit", {}, 60, 300, check};
  l.profile.draws = {distribution::training, distribution::update_visible, distribution::bits};
  l.profile.elements_up_to = 800;
  return l;
}

}  // namespace driftgate::properties
