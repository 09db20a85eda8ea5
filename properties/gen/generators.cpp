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
    return {
        {s.usual, 0.9, 0.999, 0.5, 0.0, 0.3, 0.99, 1 - 0x1p-14, 0.875, 1 - 0x1p-24}, 0x1p-26, 1, 1};
  }
  if (s.name == "lr") return {{s.usual, 1.0, 0x1p-14, 0.0, 0.1, 0.5, 3.0}, 0x1p-30, 4, 0};
  if (s.name == "eps") return {{s.usual, 0.0, 1e-6, 1.0, 1e-15, 1e-3}, 0x1p-60, 16, 0};
  if (s.name == "weight_decay") return {{s.usual, 0.0, 0.1, 0.5}, 0x1p-12, 2, 0};
  if (s.name == rules::grad_scale)
    return {{s.usual, 1, 1024, 3, 0x1p-10, 0.1, 12'345}, 0x1p-8, 0x1p24, 0};
  return {{s.usual}, s.usual, s.usual, 0};
}

double value_of(const scalar_choice& c, std::size_t pick, std::uint64_t random) {
  if (c.low == c.high) return c.values.front();
  if (pick < c.values.size()) return c.values[pick];
  const double t = static_cast<double>(random >> 11) * 0x1p-53;
  // exp and log err differently from machine to machine: the value is rounded to 20 bits, and a
  // replay file holds it, not the pick.
  const double distance = std::exp(std::log(c.low) + t * (std::log(c.high) - std::log(c.low)));
  int exponent = 0;
  const double fraction = std::frexp(distance, &exponent);
  const double rounded = std::ldexp(std::round(std::ldexp(fraction, 20)), exponent - 20);
  return c.anchor == 1 ? 1 - rounded : rounded;
}

// Where counters of 8, 12, 24, 31 and 32 bits end, and what training meets.
constexpr std::int64_t steps[] = {1,
                                  2,
                                  3,
                                  10,
                                  100,
                                  1000,
                                  255,
                                  257,
                                  2049,
                                  4095,
                                  100'000,
                                  16'777'215,
                                  16'777'216,
                                  16'777'217,
                                  16'777'219,
                                  2'147'483'648,
                                  4'294'967'297};
constexpr std::size_t plain_steps = 4;

// An index past the list: small numbers, or any up to 2^33, every binade alike.
std::int64_t step_of(std::size_t pick, std::uint64_t seed) {
  if (pick < std::size(steps)) return steps[pick];
  const std::uint64_t random = mix(seed, 11);
  if (random % 3 == 0) return 1 + static_cast<std::int64_t>((random >> 8) % 30);
  const std::uint64_t top = std::uint64_t{1} << (random >> 2) % 33;
  return static_cast<std::int64_t>(top + (mix(seed, 12) & (top - 1)));
}

rc::Gen<std::int64_t> sizes_up_to(std::int64_t largest) {
  // Tails of every vector width, both sides of powers of two, and anything.
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(0, 20), rc::gen::inRange<std::int64_t>(0, largest + 1),
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 17), rc::gen::inRange(-1, 2)),
                   [largest](const std::pair<int, int>& p) {
                     return std::min(largest, (std::int64_t{1} << p.first) + p.second);
                   }));
}

constexpr std::int64_t large[] = {6 << 14, 270'001, 1'000'003};
// One list in three is longer than any table that a kernel may have for it.
constexpr std::size_t long_lists[] = {256, 300, 1024, 1025, 10'000, 10'000};

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
      sizes.resize(long_lists[seed % std::size(long_lists)]);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        sizes[i] = static_cast<std::int64_t>((i + 1) % 3);  // the last of 256 is not empty
      }
      break;
    case 5:
      sizes.push_back(65'536 + static_cast<std::int64_t>(seed % 5) - 2);
      break;
    case 6:
      // Beyond 16 bits: full blocks of every size up to 2^14, or not.
      sizes.push_back(large[(seed >> 4) % (deep ? 3 : 2)]);
      break;
    case 7:  // a mix-up of tensors shows at equal sizes only
      sizes.assign(seed % 4 == 0 ? 64 * (1 + seed / 4 % 3) : 2 + seed % 40,
                   static_cast<std::int64_t>(1 + (seed >> 8) % 100));
      break;
    default:
      break;
  }
  return sizes;
}

// Decay beyond a half in one step is nobody's training run and hides much else: one case in 16 has
// it, from a half of the parameter to two and a half times as much, unless it has shrunk to the
// usual rate.
void limit_decay(case_spec& spec, double usual_rate) {
  const auto decay = spec.scalars.find("weight_decay");
  const auto rate = spec.scalars.find("lr");
  if (decay == spec.scalars.end() || rate == spec.scalars.end() || rate->second == 0) return;
  const std::uint64_t random = mix(spec.seed, 13);
  if (random % 16 == 0 && rate->second != usual_rate) {
    rate->second = std::max(rate->second, 0x1p-4);
    // Not so near to 1 that 1 - lr weight_decay is all rounding error.
    decay->second = (0.5 + static_cast<double>(2 * (random / 16 % 64) + 1) / 64) / rate->second;
  } else if (rate->second * decay->second > 0.5) {
    decay->second = 0.5 / rate->second;
  }
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
  const auto scalar_picks = rc::gen::container<picks>(scalars, rc::gen::inRange(0u, 20u));
  const auto step_pick = rc::gen::inRange<std::size_t>(0, std::size(steps) + 10);
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
        // In a large case positions matter; unusual values take the oracle long.
        if (spec.elements() > 65'000) {
          spec.draw = case_seed % 3 == 0 ? distribution::sparse : distribution::training;
        }
        spec.step = profile.plain_scalars ? steps[step % plain_steps] : step_of(step, case_seed);
        double usual_rate = 0;
        for (std::size_t i = 0; i < rule.scalars.size(); ++i) {
          const rules::scalar& s = rule.scalars[i];
          if (s.name == "lr") usual_rate = s.usual;
          const bool is_switch = rule.is_option(s.name);
          const bool supported = std::find(profile.options.begin(), profile.options.end(),
                                           s.name) != profile.options.end();
          if (is_switch) {
            // A skipped step says little, and often the same.
            const std::uint32_t one_in = s.name == rules::found_inf ? 7 : 3;
            spec.scalars[s.name] = supported && by_scalar[i] % one_in == 1 ? 1 : 0;
          } else {
            spec.scalars[s.name] = profile.plain_scalars
                                       ? s.usual
                                       : value_of(choices(s), by_scalar[i], mix(case_seed, i, 5));
          }
        }
        if (profile.single_scalars) {
          for (auto& [name, value] : spec.scalars) {
            if (name.starts_with("beta")) value = std::min(value, 1 - 0x1p-24);
          }
        }
        if (!profile.plain_scalars) limit_decay(spec, usual_rate);
        for (auto& [name, value] : spec.scalars) value = rule.passed(name, value);
        return spec;
      });
}

}  // namespace driftgate::properties
