// A kernel writes the roles that the rule calls mutable, and nothing else: not beyond a tensor, not
// the gradient, not a state of an option that is off, not the floating-point environment. Every law
// sees that wherever it runs the kernel (law_context); this one runs it where it is likeliest.
#include <algorithm>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  outcome after;
  if (auto v = with.run(make_job(spec, data), after)) return v;
  const std::size_t read_only = data.roles.size() - with.outputs(spec).size();
  if (with.counting) {
    with.outputs_compared += read_only * static_cast<std::uint64_t>(spec.elements());
  }
  return std::nullopt;
}

}  // namespace

law stray_writes() {
  law l{"stray_writes", "nothing is written but the mutable roles", {}, 120, 800, check};
  l.covered = [](const law_context& with) {
    return std::string(with.outputs_compared > 0 ? "" : "no role was read only");
  };
  using enum distribution;
  l.profile.may_skip = true;
  l.profile.draws = {training, bits, specials};
  l.profile.lists_up_to = 12;
  l.profile.elements_up_to = 600;
  l.profile.awkward_one_in = 20;
  return l;
}

}  // namespace driftgate::properties
