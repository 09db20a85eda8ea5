// Elements from bits: every distribution of properties/gen/case.hpp.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "properties/gen/case.hpp"

namespace driftgate::properties {
namespace {

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

// A format's own patterns and ranges.
class patterns_of {
 public:
  explicit patterns_of(formats::format_id format)
      : format_(format),
        traits_(formats::traits(format)),
        fraction_bits_(traits_.precision - 1),
        infinity_(static_cast<std::uint64_t>(2 * traits_.emax + 1) << fraction_bits_) {}

  // Any finite bit pattern: all binades, subnormals and zeros alike.
  double any_finite(std::uint64_t bits) const { return value(bits, (bits >> 8) % infinity_); }

  double edge(std::uint64_t bits) const {
    const std::uint64_t step = bits >> 40;
    // Middling is within 2^20 of one, in a short range within 2^10.
    const std::uint64_t middling = wide() ? 20 : 10;
    switch ((bits >> 1) % 8) {
      case 0:
        return value(bits, step % 3);  // zero, the smallest subnormals
      case 1:
        return value(bits, infinity_ - 1);
      case 2:  // the smallest normal number and its neighbours
        return value(bits, (std::uint64_t{1} << fraction_bits_) - 1 + step % 3);
      default: {  // a power of two in a middling binade, or up to two ulps beside it
        const std::uint64_t exponent =
            static_cast<std::uint64_t>(traits_.emax) - middling + (bits >> 20) % (2 * middling);
        return value(bits, (exponent << fraction_bits_) - 2 + step % 5);
      }
    }
  }

  double subnormal(std::uint64_t bits) const {
    const std::uint64_t fraction = (bits >> 16) & ((std::uint64_t{1} << fraction_bits_) - 1);
    return value(bits, fraction >> (bits >> 48) % static_cast<unsigned>(fraction_bits_));
  }
  double beside_subnormals(std::uint64_t bits) const {
    return log_uniform(bits, traits_.emin, traits_.emin + (wide() ? 66 : 10));
  }

  double special(std::uint64_t bits) const {
    switch ((bits >> 1) % 10) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return sign(bits) * std::numeric_limits<double>::infinity();
      case 2:
        return sign(bits) * 0.0;
      case 3:
        return sign(bits) * traits_.max_finite;
      case 4:
      case 5:  // squares overflow or underflow
        return wide() ? log_uniform(bits, 60, 127) : log_uniform(bits, 8, 15);
      case 6:
        return wide() ? log_uniform(bits, -140, -60) : log_uniform(bits, -25, -12);
      default:
        return log_uniform(bits, -20, 2);
    }
  }

  // The largest exponent that gradients have in training. Those of a format with a short range are
  // scaled up there, so that few are subnormal.
  int training_top() const { return wide() ? 0 : 8; }

 private:
  bool wide() const { return traits_.emax > 100; }
  double value(std::uint64_t bits, std::uint64_t magnitude) const {
    return sign(bits) * formats::decode(format_, magnitude);
  }

  formats::format_id format_;
  formats::format_traits traits_;
  int fraction_bits_;
  std::uint64_t infinity_;
};

// The part that an element plays: what the distributions distinguish.
enum class part { parameter, gradient, first_moment, second_moment };

part part_of(const rules::role& role) {
  if (role.name == "param" || role.stands_for == "param") return part::parameter;
  if (role.name == "grad") return part::gradient;
  return role.non_negative ? part::second_moment : part::first_moment;
}

// What the elements of one role are drawn from.
struct source {
  distribution how;
  double beta1;
  part plays;
  patterns_of patterns;
  formats::format_id gradient_format;
  double loss_scale;
  int top = patterns_of(gradient_format).training_top();

  bool short_range() const { return formats::traits(gradient_format).emax < 100; }
  // A gradient as it is stored. In a format of short range it is drawn scaled.
  double stored(double g) const {
    return round(gradient_format, short_range() ? g : g * loss_scale);
  }
};

double draw(const source& from, std::uint64_t shared, std::uint64_t own) {
  const part p = from.plays;
  // The element's gradient as training has it: as it is stored, and without the loss scale.
  const double stored = from.stored(log_uniform(shared, from.top - 24, from.top));
  const double g = stored / from.loss_scale;
  switch (from.how) {
    case distribution::sparse:
    case distribution::training:
      if (p == part::gradient) return stored;
      if (p == part::parameter) return log_uniform(own, -12, 1);
      if (p == part::first_moment) return log_uniform(own, -4, 1) * g;
      return g * g * scaled(own, -6, 2);
    case distribution::cancelling:
      if (p == part::gradient) return stored;
      if (p == part::parameter) return log_uniform(own, -12, 1);
      if (p == part::second_moment) return g * g * (1 + 0x1p-20 * unit(own));
      if ((own & 2) != 0 || from.beta1 == 0) return log_uniform(own, -30, -10) * g;
      return -(1 - from.beta1) / from.beta1 * g * (1 + log_uniform(own, -26, -12));
    case distribution::edges:
      return from.patterns.edge(own);
    case distribution::bits:
      return from.patterns.any_finite(own);
    case distribution::subnormals:
      return (own & 6) == 0 ? from.patterns.beside_subnormals(own) : from.patterns.subnormal(own);
    case distribution::zeros:
      if ((own & 6) != 0) return sign(own) * 0.0;
      return log_uniform(own, -20, 1);
    case distribution::update_visible:
      if (p == part::parameter) return 0;
      if (p == part::gradient) return stored;
      if (p == part::first_moment) return log_uniform(own, -6, 3) * g;
      return g * g * scaled(own, -10, 10);
    case distribution::decay_visible:
      if (p == part::parameter) return log_uniform(own, -20, 10);
      if (p == part::second_moment) return scaled(own, -40, 0);
      return 0;
    case distribution::division_visible:
      if (p == part::parameter) return log_uniform(own, -60, -30);
      if (p == part::gradient) return from.stored(log_uniform(own, -20, 0));
      if (p == part::first_moment) return log_uniform(own, 0, 20);
      return scaled(own, -20, 20);
    case distribution::specials:
      return from.patterns.special(own);
  }
  return 0;
}

// A weight at a tie of the format that its copy is rounded to, or beside one.
double tie_beside(double weight, formats::format_id copy, std::uint64_t bits) {
  const double rounded = round(copy, weight);
  if (!std::isfinite(rounded) || rounded == 0) return weight;
  const auto from = formats::rounds_to(copy, rounded);
  const double tie = (bits & 4) != 0 ? from.above : from.below;
  constexpr auto f32 = formats::format_id::f32;
  const int steps = static_cast<int>(bits % 4) - 1;
  return formats::decode(f32, neighbour(f32, formats::encode(f32, tie), steps % 2));
}

}  // namespace

void draw_role(const case_spec& spec, const rules::description& rule, const rules::role& role,
               std::vector<float>& into) {
  // A rounded copy of another role is drawn as that one, and rounded.
  const rules::role& drawn = *rule.source_of(role.name);
  std::uint64_t role_key = 0;
  for (const char c : drawn.name) role_key = mix(role_key, static_cast<unsigned char>(c));
  const rules::role* gradient = rule.find_role("grad");
  const auto beta = spec.scalars.find("beta1");
  const source from{spec.draw,
                    beta == spec.scalars.end() ? 0.9 : beta->second,
                    part_of(drawn),
                    patterns_of(drawn.format),
                    gradient ? gradient->format : formats::format_id::f32,
                    rules::is_scaled(spec.scalars) ? spec.scalars.at(rules::grad_scale) : 1};
  const rules::role* copy = rule.find_role(drawn.stands_for);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::uint64_t index = spec.first + i;
    const std::uint64_t own = mix(spec.seed, index, role_key);
    double x = draw(from, mix(spec.seed, index), own);
    // One weight in four shows how the copy is rounded.
    const std::uint64_t more = copy ? mix(own, 1) : 1;
    if (more % 4 == 0) x = tie_beside(static_cast<float>(x), copy->format, more >> 2);
    const bool moves = from.plays == part::gradient || from.plays == part::first_moment;
    if (spec.draw == distribution::sparse && moves && mix(spec.seed, index / 64, 3) % 16 == 0) {
      x = 0;
    }
    x = round(drawn.format, from.plays == part::second_moment ? std::fabs(x) : x);
    into[i] = static_cast<float>(round(role.format, x));
  }
}

}  // namespace driftgate::properties
