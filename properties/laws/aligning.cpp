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
      // The first round shifts all roles alike and the second one role alone: code that does not
      // test every pointer is then misled.
      const bool only = r == (spec.seed >> 8) % moved.roles.size();
      const std::uint64_t shift = round == 0   ? 1 + spec.seed % 3
                                  : round == 1 ? (only ? 1 + spec.seed % 3 : 0)
                                               : mix(spec.seed, r, round) % 64;
      const std::size_t element = formats::bytes(data.formats[r]);
      moved.misalignment.push_back(static_cast<std::uint32_t>(shift * element));
    }
    outcome b;
    if (auto v = with.run(moved, b)) return v;
    if (auto v = with.same_result(spec, data, a, b, verdict::bits_differ, "aligned and not"))
      return v;
  }
  return std::nullopt;
}

}  // namespace

law aligning() {
  law l{"aligning", "another address or alignment changes no bit", {}, 60, 400, check};
  l.profile.draws = {distribution::training, distribution::bits, distribution::division_visible};
  l.profile.elements_up_to = 1500;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
