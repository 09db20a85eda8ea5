// Where the real numbers have no answer, a kernel returns what some admissible form of the rule
// returns in IEEE arithmetic; a NaN among an output's inputs gives NaN.
#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::string covered(const law_context& with) {
  for (const rules::output_tally& t : with.tally) {
    if (t.tiers[static_cast<std::size_t>(rules::tier::special)] > 0) return "";
  }
  return "no output was a special value";
}

}  // namespace

law special_values() {
  law l{"special_values",
        "NaN, infinities, overflow and signed zeros come out as some admissible form gives them",
        {},
        150,
        1500,
        one_step_matches,
        nullptr,
        covered};
  l.profile.may_skip = true;
  l.profile.draws = {distribution::specials, distribution::zeros, distribution::bits};
  l.profile.elements_up_to = 300;
  return l;
}

}  // namespace driftgate::properties
