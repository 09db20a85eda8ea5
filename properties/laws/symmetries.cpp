// Exact symmetries, to the bit: changing the sign of p, g and m changes the sign of the result; so
// do powers of two on g (with m, v and eps along) and on p (with lr along, weight_decay against)
// scale it. No rounding to nearest sees a sign or a power of two while nothing over- or underflows.
// A zero has no sign here: x - x is +0 whatever the sign of x.
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

void forget_signs_of_zeros(outcome& o) {
  for (role_data& role : o.roles) {
    auto values = floats(o, role.role);
    for (float& x : values) x += 0.0F;
    role = make_role(role.role, values);
  }
}

float scaled(float x, const rules::role& role, const scaling& s) {
  const float y = std::ldexp(x, exponent_of(role.scales, s));
  return s.negate && !role.non_negative ? -y : y;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  outcome straight;
  if (auto v = with.run(make_job(spec, data), straight)) return v;

  const int k = static_cast<int>(spec.seed % 9) - 4;
  const scaling all[] = {{0, 0, true}, {k == 0 ? 5 : k, 0, false}, {0, k == 0 ? 5 : k, false}};
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
    for (role_data& role : expected.roles) {
      auto values = floats(expected, role.role);
      for (float& x : values) x = scaled(x, *with.about().find_role(role.role), s);
      role = make_role(role.role, values);
    }
    if (s.negate) {
      forget_signs_of_zeros(expected);
      forget_signs_of_zeros(moved);
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
