// Where a tensor lies in memory means nothing: every role aligned to its element only, each on its
// own.
#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job aligned = make_job(spec, data);
  outcome a;
  if (auto v = with.run(aligned, a)) return v;
  for (std::uint64_t round = 0; round < 3; ++round) {
    job moved = aligned;
    for (std::size_t r = 0; r < moved.roles.size(); ++r) {
      // The first round shifts all roles alike: code that tests one pointer only is then misled.
      const std::uint64_t shift = round == 0 ? 1 + spec.seed % 3 : mix(spec.seed, r, round) % 64;
      const std::size_t element = formats::bytes(data.formats[r]);
      moved.misalignment.push_back(static_cast<std::uint32_t>(shift * element));
    }
    outcome b;
    if (auto v = with.run(moved, b)) return v;
    if (auto v = with.same_bits(spec, a, b, verdict::bits_differ, "aligned and not")) return v;
  }
  return std::nullopt;
}

}  // namespace

law aligning() {
  law l{"aligning", "another address or alignment changes no bit", {}, 60, 400, check};
  l.profile.draws = {distribution::training, distribution::bits, distribution::division_visible};
  l.profile.elements_up_to = 1500;
  l.inapplicable = without_reproducible_bits;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
