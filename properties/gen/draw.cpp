// Elements from bits: every distribution of properties/gen/case.hpp.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "properties/gen/case.hpp"

namespace driftgate::properties {
namespace {

float from_bits(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// (0, 1], 53 bits.
double unit(std::uint64_t bits) {
  return (static_cast<double>(bits >> 11) + 1) * 0x1p-53;
}
double sign(std::uint64_t bits) {
  return (bits & 1) != 0 ? -1.0 : 1.0;
}

// A magnitude between two powers of two: every binade alike, uniform inside. Made of bits alone, so
// that a case has the same elements on every machine.
double scaled(std::uint64_t bits, int low, int high) {
  const int exponent =
      low + static_cast<int>((bits >> 3 & 0xffff) % static_cast<unsigned>(high - low));
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52 | bits >> 12);
}
double log_uniform(std::uint64_t bits, int low, int high) {
  return sign(bits) * scaled(bits, low, high);
}

// Any finite bit pattern: all binades, subnormals and zeros alike.
float any_finite(std::uint64_t bits) {
  const std::uint64_t magnitude = (bits >> 8) % 0x7f800000u;
  return from_bits(magnitude | (bits & 1) << 31);
}

float edge(std::uint64_t bits) {
  constexpr float largest = std::numeric_limits<float>::max();
  switch ((bits >> 1) % 8) {
    case 0:
      return from_bits(((bits & 1) << 31) | ((bits >> 40) % 3));  // zero, the smallest subnormals
    case 1:
      return static_cast<float>(sign(bits)) * largest;
    case 2:  // the smallest normal number and its neighbours
      return from_bits(((bits & 1) << 31) | (0x00800000u - 1 + (bits >> 40) % 3));
    default: {  // a power of two in a middling binade, or up to two ulps beside it
      const std::uint64_t exponent = 127 - 20 + (bits >> 20) % 40;
      return from_bits(((bits & 1) << 31) | ((exponent << 23) - 2 + (bits >> 40) % 5));
    }
  }
}

float special(std::uint64_t bits) {
  switch ((bits >> 1) % 10) {
    case 0:
      return std::numeric_limits<float>::quiet_NaN();
    case 1:
      return static_cast<float>(sign(bits)) * std::numeric_limits<float>::infinity();
    case 2:
      return static_cast<float>(sign(bits)) * 0.0F;
    case 3:
      return static_cast<float>(sign(bits)) * std::numeric_limits<float>::max();
    case 4:
    case 5:  // squares overflow or underflow
      return static_cast<float>(log_uniform(bits, 60, 127));
    case 6:
      return static_cast<float>(log_uniform(bits, -140, -60));
    default:
      return static_cast<float>(log_uniform(bits, -20, 2));
  }
}

// The part that an element plays: what the distributions distinguish.
enum class part { parameter, gradient, first_moment, second_moment };

part part_of(const rules::role& role) {
  if (role.name == "param") return part::parameter;
  if (role.name == "grad") return part::gradient;
  return role.non_negative ? part::second_moment : part::first_moment;
}

float draw(distribution how, double beta1, part p, std::uint64_t shared, std::uint64_t own) {
  const double g = log_uniform(shared, -24, 0);  // the element's gradient, as training has it
  switch (how) {
    case distribution::sparse:
    case distribution::training:
      if (p == part::gradient) return static_cast<float>(g);
      if (p == part::parameter) return static_cast<float>(log_uniform(own, -12, 1));
      if (p == part::first_moment) return static_cast<float>(log_uniform(own, -4, 1) * g);
      return static_cast<float>(g * g * scaled(own, -6, 2));
    case distribution::cancelling:
      if (p == part::gradient) return static_cast<float>(g);
      if (p == part::parameter) return static_cast<float>(log_uniform(own, -12, 1));
      if (p == part::second_moment) return static_cast<float>(g * g * (1 + 0x1p-20 * unit(own)));
      if ((own & 2) != 0 || beta1 == 0) return static_cast<float>(log_uniform(own, -30, -10) * g);
      return static_cast<float>(-(1 - beta1) / beta1 * g * (1 + log_uniform(own, -26, -12)));
    case distribution::edges:
      return edge(own);
    case distribution::bits:
      return any_finite(own);
    case distribution::subnormals:
      if ((own & 6) == 0) return static_cast<float>(log_uniform(own, -126, -60));
      return from_bits(((own & 1) << 31) | ((own >> 16) & 0x7fffffu) >> ((own >> 48) % 23));
    case distribution::zeros:
      if ((own & 6) != 0) return static_cast<float>(sign(own)) * 0.0F;
      return static_cast<float>(log_uniform(own, -20, 1));
    case distribution::update_visible:
      if (p == part::parameter) return 0;
      if (p == part::gradient) return static_cast<float>(g);
      if (p == part::first_moment) return static_cast<float>(log_uniform(own, -6, 3) * g);
      return static_cast<float>(g * g * scaled(own, -10, 10));
    case distribution::decay_visible:
      if (p == part::parameter) return static_cast<float>(log_uniform(own, -20, 10));
      if (p == part::second_moment) return static_cast<float>(scaled(own, -40, 0));
      return 0;
    case distribution::division_visible:
      if (p == part::parameter) return static_cast<float>(log_uniform(own, -60, -30));
      if (p == part::gradient) return static_cast<float>(log_uniform(own, -20, 0));
      if (p == part::first_moment) return static_cast<float>(log_uniform(own, 0, 20));
      return static_cast<float>(scaled(own, -20, 20));
    case distribution::specials:
      return special(own);
  }
  return 0;
}

}  // namespace

void draw_role(const case_spec& spec, const rules::role& role, std::vector<float>& into) {
  std::uint64_t role_key = 0;
  for (const char c : role.name) role_key = mix(role_key, static_cast<unsigned char>(c));
  const part p = part_of(role);
  const auto beta = spec.scalars.find("beta1");
  const double beta1 = beta == spec.scalars.end() ? 0.9 : beta->second;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::uint64_t index = spec.first + i;
    float x = draw(spec.draw, beta1, p, mix(spec.seed, index), mix(spec.seed, index, role_key));
    if (spec.draw == distribution::sparse && (p == part::gradient || p == part::first_moment) &&
        mix(spec.seed, index / 64, 3) % 16 == 0) {
      x = 0;
    }
    into[i] = p == part::second_moment ? std::fabs(x) : x;
  }
}

}  // namespace driftgate::properties
