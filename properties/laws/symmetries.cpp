// Exact symmetries, to the bit: changing the sign of p, g and m changes the sign of the result; so
// do powers of two on g (with m, v and eps along) and on p (with lr along, weight_decay against)
// scale it. No rounding to nearest sees a sign or a power of two while nothing over- or underflows.
// A zero has no sign here: x - x is +0 whatever the sign of x. In a format of short range, what the
// scaling would carry beyond the normal numbers is left out.
#include <cmath>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

// By how many powers of two each role and scalar is scaled, and whether its sign is changed.
struct scaling {
  int gradient;
  int parameter;
  bool negate;
};

int exponent_of(const rules::powers& of, const scaling& s) {
  return of.gradient * s.gradient + of.parameter * s.parameter;
}

constexpr int largest_scaling = 5;  // powers of two, up or down

void forget_signs_of_zeros(const rules::description& about, outcome& o) {
  for (role_data& role : o.roles) {
    const rules::role& of = *about.find_role(role.role);
    auto values = floats(o, of);
    for (float& x : values) x += 0.0F;
    role = make_role(of, values);
  }
}

// Whether x is a normal number of the format, and was not rounded as a subnormal or beyond the
// largest.
bool well_inside(formats::format_id format, float x) {
  const formats::format_traits t = formats::traits(format);
  return std::fabs(x) >= 2 * t.smallest_normal && std::fabs(x) < t.max_finite;
}

// Inputs that their format would not hold after a scaling become zero.
void keep_scalable(expanded_case& data) {
  for (std::size_t r = 0; r < data.data.size(); ++r) {
    for (float& x : data.data[r]) {
      const bool scalable = well_inside(data.formats[r], std::ldexp(x, -largest_scaling)) &&
                            well_inside(data.formats[r], std::ldexp(x, largest_scaling));
      if (data.formats[r] != formats::format_id::f32 && !scalable) x = 0;
    }
  }
}

// Outputs that a narrower format rounds in another way before or after the scaling become zero in
// both.
void keep_scaled_alike(const rules::role& role, const outcome& straight, outcome& expected,
                       outcome& moved, std::size_t r) {
  if (role.format == formats::format_id::f32) return;
  const auto before = floats(straight, role);
  auto wanted = floats(expected, role);
  auto got = floats(moved, role);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (well_inside(role.format, before[i]) && well_inside(role.format, wanted[i])) continue;
    wanted[i] = got[i] = 0;
  }
  expected.roles[r] = make_role(role, wanted);
  moved.roles[r] = make_role(role, got);
}

float scaled(float x, const rules::role& role, const scaling& s) {
  const float y = std::ldexp(x, exponent_of(role.scales, s));
  return s.negate && !role.non_negative ? -y : y;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  expanded_case data = expand(spec, with.about());
  keep_scalable(data);
  outcome straight;
  if (auto v = with.run(make_job(spec, data), straight)) return v;

  const int k = static_cast<int>(spec.seed % 9) - 4;
  const scaling all[] = {{0, 0, true},
                         {k == 0 ? largest_scaling : k, 0, false},
                         {0, k == 0 ? largest_scaling : k, false}};
  for (const scaling& s : all) {
    case_spec turned = spec;
    for (const rules::scalar& scalar : with.about().scalars) {
      double& value = turned.scalars.at(scalar.name);
      value = std::ldexp(value, exponent_of(scalar.scales, s));
    }
    expanded_case inputs = data;
    for (std::size_t r = 0; r < inputs.data.size(); ++r) {
      for (float& x : inputs.data[r]) x = scaled(x, with.about().roles[r], s);
    }
    outcome moved;
    if (auto v = with.run(make_job(turned, inputs), moved)) return v;
    outcome expected = straight;
    for (std::size_t r = 0; r < expected.roles.size(); ++r) {
      const rules::role& role = with.about().roles[r];
      auto values = floats(expected, role);
      for (float& x : values) x = scaled(x, role, s);
      expected.roles[r] = make_role(role, values);
      keep_scaled_alike(role, straight, expected, moved, r);
    }
    if (s.negate) {
      forget_signs_of_zeros(with.about(), expected);
      forget_signs_of_zeros(with.about(), moved);
    }
    const char* what = s.negate ? "the negated result and the result of negated inputs"
                                : "the scaled result and the result of scaled inputs";
    if (auto v = with.same_bits(spec, expected, moved, verdict::bits_differ, what)) return v;
  }
  return std::nullopt;
}

}  // namespace

law symmetries() {
  law l{"symmetries", "signs and powers of two pass through exactly", {}, 80, 500, check};
  // Magnitudes in the middle of the range: nothing over- or underflows.
  l.profile.draws = {distribution::training, distribution::update_visible};
  l.profile.elements_up_to = 800;
  l.profile.plain_scalars = true;
  l.inapplicable = without_reproducible_bits;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
