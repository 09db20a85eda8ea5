#include "properties/gen/generators.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace driftgate::properties {
namespace {

// Index 0 is what shrinking ends at; an index past the list draws at random in the scalar's range.
struct scalar_choice {
  std::vector<double> values;
  double low, high;  // of the random draw, uniform in the logarithm of the distance from `anchor`
  double anchor;     // 1 for betas, which crowd there; 0 otherwise
};

scalar_choice choices(const rules::scalar& s) {
  if (s.name.starts_with("beta")) {
    return {{s.usual, 0.9, 0.999, 0.5, 0.0, 0.3, 0.99, 1 - 0x1p-14, 0.875}, 0x1p-14, 1, 1};
  }
  if (s.name == "lr") return {{s.usual, 1.0, 0x1p-14, 0.0, 0.1, 0.5}, 0x1p-14, 1, 0};
  if (s.name == "eps") return {{s.usual, 0.0, 1e-6, 1.0, 1e-15, 1e-3}, 0x1p-60, 1, 0};
  if (s.name == "weight_decay") return {{s.usual, 0.0, 0.1, 0.5}, 0x1p-12, 0.5, 0};
  return {{s.usual}, s.usual, s.usual, 0};
}

double value_of(const scalar_choice& c, std::uint64_t pick) {
  const std::uint64_t n = c.values.size();
  if (pick < n || c.low == c.high) return c.values[pick % n];
  const double t = static_cast<double>(mix(pick, 5) >> 11) * 0x1p-53;
  // exp and log err differently from machine to machine: the value is rounded to 20 bits, and a
  // replay file holds it, not the pick.
  const double distance = std::exp(std::log(c.low) + t * (std::log(c.high) - std::log(c.low)));
  const double rounded = std::ldexp(std::round(std::ldexp(distance, 40)), -40);
  return c.anchor == 1 ? 1 - rounded : rounded;
}

constexpr std::int64_t steps[] = {1,    2,       3,        10,       100,      1000,
                                  4095, 100'000, 16777215, 16777216, 16777217, 2'147'483'648};

rc::Gen<std::int64_t> sizes_up_to(std::int64_t largest) {
  // Tails of every vector width, both sides of powers of two, and anything.
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(0, 20), rc::gen::inRange<std::int64_t>(0, largest + 1),
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 17), rc::gen::inRange(-1, 2)),
                   [largest](const std::pair<int, int>& p) {
                     return std::min(largest, (std::int64_t{1} << p.first) + p.second);
                   }));
}

// A drawn list made awkward; 0 leaves it as it is.
std::vector<std::int64_t> awkward(std::vector<std::int64_t> sizes, std::uint32_t how,
                                  std::uint64_t seed, bool deep) {
  switch (how) {
    case 1:
      sizes.insert(sizes.begin() + static_cast<std::int64_t>(seed % (sizes.size() + 1)), 0);
      break;
    case 2:
      sizes.insert(sizes.begin(), 0);
      break;
    case 3:
      sizes.push_back(0);
      break;
    case 4:
      sizes.resize(deep ? 10'000 : 300);
      for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = static_cast<std::int64_t>(i % 3);
      break;
    case 5:
      sizes.push_back(65'536 + static_cast<std::int64_t>(seed % 5) - 2);
      break;
    case 6:
      sizes.push_back(deep ? 1'000'003 : 131'071);
      break;
    default:
      break;
  }
  return sizes;
}

}  // namespace

rc::Gen<case_spec> cases(const rules::description& rule, const case_profile& profile) {
  using picks = std::vector<std::uint32_t>;
  const std::size_t scalars = rule.scalars.size();
  const auto seed = rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const auto draw = rc::gen::inRange<std::size_t>(0, profile.draws.size());
  const auto sizes = rc::gen::resize(
      profile.lists_up_to, rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
                               rc::gen::resize(100, sizes_up_to(profile.elements_up_to)))));
  const auto scalar_picks = rc::gen::container<picks>(scalars, rc::gen::inRange(0u, 24u));
  const auto step_pick = rc::gen::inRange<std::size_t>(0, std::size(steps));
  const auto awkward_pick = rc::gen::inRange(0u, profile.awkward_one_in + 1);
  return rc::gen::map(
      rc::gen::resize(100,
                      rc::gen::tuple(seed, draw, sizes, scalar_picks, step_pick, awkward_pick)),
      [rule, profile](const std::tuple<std::uint64_t, std::size_t, std::vector<std::int64_t>, picks,
                                       std::size_t, std::uint32_t>& t) {
        const auto& [case_seed, draw_pick, list, by_scalar, step, awkward_how] = t;
        case_spec spec;
        spec.seed = case_seed;
        spec.draw = profile.draws[draw_pick];
        spec.sizes = awkward(list, awkward_how, case_seed, profile.deep);
        spec.step = profile.plain_scalars ? steps[step % 4] : steps[step];
        for (std::size_t i = 0; i < rule.scalars.size(); ++i) {
          const rules::scalar& s = rule.scalars[i];
          const bool is_switch = rule.is_option(s.name);
          const bool supported = std::find(profile.options.begin(), profile.options.end(),
                                           s.name) != profile.options.end();
          const std::uint64_t pick =
              by_scalar[i] < 12 ? by_scalar[i] : by_scalar[i] * 1000 + mix(case_seed, i) % 1000;
          if (is_switch) {
            spec.scalars[s.name] = supported && by_scalar[i] % 3 == 1 ? 1 : 0;
          } else {
            spec.scalars[s.name] = profile.plain_scalars ? s.usual : value_of(choices(s), pick);
          }
        }
        // Decay beyond a half in one step is nobody's training run and hides everything else.
        if (auto d = spec.scalars.find("weight_decay"); d != spec.scalars.end()) {
          const double lr = spec.scalars.count("lr") ? spec.scalars["lr"] : 1;
          if (lr * d->second > 0.5) d->second = 0.5 / lr;
        }
        return spec;
      });
}

}  // namespace driftgate::properties
