// One tensor, or the same elements in many: no bit changes. For elementwise rules.
#include <algorithm>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

// Cuts n elements into a list of tensors, empty ones among them.
std::vector<std::int64_t> cut(std::int64_t n, std::uint64_t seed) {
  const std::int64_t typical = std::max<std::int64_t>(1, n / 7);
  std::vector<std::int64_t> sizes;
  for (std::uint64_t i = 0; n > 0; ++i) {
    const std::uint64_t r = mix(seed, i, 3);
    const std::int64_t part =
        r % 5 == 0 ? 0 : std::min<std::int64_t>(n, 1 + static_cast<std::int64_t>(r >> 8) % typical);
    sizes.push_back(part);
    n -= part;
  }
  sizes.push_back(0);
  return sizes;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  job whole = make_job(spec, data);
  whole.sizes = {spec.elements()};
  job parts = whole;
  parts.sizes = cut(spec.elements(), spec.seed);
  outcome a, b;
  if (auto v = with.run(whole, a)) return v;
  if (auto v = with.run(parts, b)) return v;
  return with.same_result(spec, data, a, b, verdict::bits_differ,
                          "one tensor and the same elements in several");
}

}  // namespace

law splitting() {
  law l{"splitting", "splitting a tensor changes no bit", {}, 60, 400, check};
  l.profile.draws = {distribution::training, distribution::bits, distribution::division_visible};
  l.profile.elements_up_to = 70'000;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
