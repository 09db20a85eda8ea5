// A run that is saved, moved to other addresses (half of the time to another process) and resumed
// ends with the same bits as one that was not. Hyperparameters change from step to step, as
// schedules change them: what a plan has kept of them shows.
#include "properties/laws/law.hpp"
#include "properties/laws/training_run.hpp"

namespace driftgate::properties {
namespace {

constexpr std::uint64_t steps = 12;

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job straight = training_run(spec, data, with.about(), steps);
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
  l.profile.may_skip = true;
  l.profile.draws = {distribution::training, distribution::update_visible, distribution::bits};
  l.profile.elements_up_to = 800;
  l.inapplicable = without_reproducible_bits;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
