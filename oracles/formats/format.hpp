// The number formats that tensors are stored in: value <-> bits, rounding, and the size of an ulp.
//
// Written apart from the compiler's and the processor's own conversions, because kernels use those.
// Every function is exact or correctly rounded. Source: IEEE 754-2019, clause 3 (binary16,
// binary32, binary64); bfloat16 is binary32 without its last 16 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace driftgate::formats {

enum class format_id : std::uint8_t { f32, bf16, f16, f64 };

struct format_traits {
  int precision;         // bits of the significand, the implicit one included
  int emin;              // exponent of the smallest normal number
  int emax;              // exponent of the largest finite number
  int bits;              // of storage
  double unit_roundoff;  // u = 2^-precision: the largest relative error of a rounding to nearest
  // eta: the largest error of a rounding to nearest below smallest_normal. For f64 it is 2^-1075,
  // which no double holds: there this is twice as much, so that a bound made of it is wider, never
  // too narrow.
  double half_smallest_subnormal;
  double max_finite;
  double smallest_normal;
};

constexpr format_traits traits(format_id format) {
  switch (format) {
    case format_id::f32:
      return {24, -126, 127, 32, 0x1p-24, 0x1p-150, 0x1.fffffep127, 0x1p-126};
    case format_id::bf16:
      return {8, -126, 127, 16, 0x1p-8, 0x1p-134, 0x1.fep127, 0x1p-126};
    case format_id::f16:
      return {11, -14, 15, 16, 0x1p-11, 0x1p-25, 0x1.ffcp15, 0x1p-14};
    case format_id::f64:
      break;
  }
  return {53, -1022, 1023, 64, 0x1p-53, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-1022};
}

// "f32", "bf16", "f16", "f64", as a kernel's contract spells them.
std::optional<format_id> parse(std::string_view name);
std::string_view name(format_id format);

constexpr std::size_t bytes(format_id format) {
  return static_cast<std::size_t>(traits(format).bits) / 8;
}

// The unsigned integer that holds a format's bits.
template <format_id F>
using storage_t =
    std::conditional_t<traits(F).bits == 16, std::uint16_t,
                       std::conditional_t<traits(F).bits == 32, std::uint32_t, std::uint64_t>>;

namespace detail {

constexpr std::uint64_t sign_mask(format_id format) {
  return std::uint64_t{1} << (traits(format).bits - 1);
}

constexpr std::uint64_t magnitude(format_id format, std::uint64_t bits) {
  return bits & (sign_mask(format) - 1);
}

// The exponent field's ones: infinity's bits.
constexpr std::uint64_t infinity(format_id format) {
  return sign_mask(format) - (std::uint64_t{1} << (traits(format).precision - 1));
}

// What the exponent field of a double exceeds the format's own by, at its place in the double.
constexpr std::uint64_t rebias(format_id format) {
  return static_cast<std::uint64_t>(traits(format).emin + 1022) << 52;
}

// value / 2^shift to the nearest integer, ties to even; value < 2^63, 1 <= shift <= 63.
constexpr std::uint64_t shift_to_even(std::uint64_t value, int shift) {
  const std::uint64_t odd = (value >> shift) & 1;
  return (value + (std::uint64_t{1} << (shift - 1)) - 1 + odd) >> shift;
}

// Calls `function` with the format as a compile-time constant.
template <class Function>
constexpr auto dispatch(format_id format, Function function) {
  switch (format) {
    case format_id::f32:
      return function(std::integral_constant<format_id, format_id::f32>{});
    case format_id::bf16:
      return function(std::integral_constant<format_id, format_id::bf16>{});
    case format_id::f16:
      return function(std::integral_constant<format_id, format_id::f16>{});
    case format_id::f64:
      break;
  }
  return function(std::integral_constant<format_id, format_id::f64>{});
}

}  // namespace detail

constexpr bool is_nan(format_id format, std::uint64_t bits) {
  return detail::magnitude(format, bits) > detail::infinity(format);
}
constexpr bool is_inf(format_id format, std::uint64_t bits) {
  return detail::magnitude(format, bits) == detail::infinity(format);
}
constexpr bool is_zero(format_id format, std::uint64_t bits) {
  return detail::magnitude(format, bits) == 0;
}
constexpr bool is_subnormal(format_id format, std::uint64_t bits) {
  return !is_zero(format, bits) &&
         detail::magnitude(format, bits) >> (traits(format).precision - 1) == 0;
}

// The value of a pattern, exactly. A NaN stays one.
template <format_id F>
constexpr double decode(storage_t<F> bits) {
  constexpr format_traits t = traits(F);
  if constexpr (F == format_id::f64) {
    return std::bit_cast<double>(bits);
  } else if constexpr (F == format_id::f32) {
    return std::bit_cast<float>(bits);  // widening is exact, and one instruction
  } else if constexpr (F == format_id::bf16) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  } else {
    const std::uint64_t magnitude = detail::magnitude(F, bits);
    const std::uint64_t widened = magnitude << (53 - t.precision);
    std::uint64_t value = widened + detail::rebias(F);
    if (magnitude < std::uint64_t{1} << (t.precision - 1)) {
      value = std::bit_cast<std::uint64_t>(static_cast<double>(magnitude) *
                                           (2 * t.half_smallest_subnormal));
    } else if (magnitude >= detail::infinity(F)) {
      value = widened | detail::infinity(format_id::f64);
    }
    return std::bit_cast<double>(value | static_cast<std::uint64_t>(bits >> (t.bits - 1)) << 63);
  }
}

constexpr double decode(format_id format, std::uint64_t bits) {
  return detail::dispatch(format,
                          [=](auto f) { return decode<f()>(static_cast<storage_t<f()>>(bits)); });
}

// The nearest pattern, ties to even: subnormals are kept, what is too large becomes infinity, zeros
// keep their sign, a NaN becomes the quiet NaN of its sign (for f64 all bits stay).
template <format_id F>
constexpr storage_t<F> encode(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if constexpr (F == format_id::f64) {
    return bits;
  } else {
    constexpr format_traits t = traits(F);
    constexpr int dropped = 53 - t.precision;
    constexpr std::uint64_t implicit = std::uint64_t{1} << 52;
    const std::uint64_t magnitude = detail::magnitude(format_id::f64, bits);

    std::uint64_t rounded;
    if (magnitude > detail::infinity(format_id::f64)) {
      rounded = detail::infinity(F) | std::uint64_t{1} << (t.precision - 2);
    } else if (magnitude >= detail::rebias(F) + implicit) {
      // A carry out of the fraction moves the exponent up, at last to infinity.
      rounded = std::min(detail::shift_to_even(magnitude - detail::rebias(F), dropped),
                         detail::infinity(F));
    } else {
      // Subnormal in the format: the further below emin, the more bits go; after 54 none is left.
      // So it does no harm that zero and the doubles' own subnormals have no implicit bit.
      const int exponent = static_cast<int>(magnitude >> 52) - 1023;
      const std::uint64_t significand = (magnitude & (implicit - 1)) | implicit;
      rounded = detail::shift_to_even(significand, std::min(dropped + t.emin - exponent, 63));
    }
    return static_cast<storage_t<F>>(rounded | (bits >> 63) << (t.bits - 1));
  }
}

constexpr std::uint64_t encode(format_id format, double value) {
  return detail::dispatch(format, [=](auto f) -> std::uint64_t { return encode<f()>(value); });
}

// The nearest pattern to the exact head + tail, where |tail| <= ulp(head) / 2 (a tail beside a head
// that is zero, infinite or NaN is ignored). Rounding the head alone would round twice: a head on a
// tie hides which side the tail is on. So the sum is first rounded to odd in 53 bits, which keeps
// that side (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
// using rounding to odd", 2008; it needs a target at least two bits shorter, so f64 takes the sum's
// own rounding).
template <format_id F>
constexpr storage_t<F> round_with_tail(double head, double tail) {
  auto bits = std::bit_cast<std::uint64_t>(head);
  if (tail == 0 || is_zero(format_id::f64, bits) ||
      detail::magnitude(format_id::f64, bits) >= detail::infinity(format_id::f64)) {
    return encode<F>(head);
  }
  if constexpr (F == format_id::f64) {
    return encode<F>(head + tail);
  } else {
    // The sum lies strictly between two doubles; of these the odd one is the head or the next on
    // the tail's side.
    if (bits % 2 == 0) {
      bits = (head < 0) == (tail < 0) ? bits + 1 : bits - 1;
    }
    return encode<F>(std::bit_cast<double>(bits));
  }
}

constexpr std::uint64_t round_with_tail(format_id format, double head, double tail) {
  return detail::dispatch(
      format, [=](auto f) -> std::uint64_t { return round_with_tail<f()>(head, tail); });
}

// The value of the nearest pattern.
template <format_id F>
constexpr double round(double value) {
  return decode<F>(encode<F>(value));
}

constexpr double round(format_id format, double value) {
  return detail::dispatch(format, [=](auto f) { return round<f()>(value); });
}

// The distance between neighbours in the binade that holds |value|; at a power of two, of the
// binade above it. Below the smallest normal it is the smallest subnormal, beyond the largest
// finite value that of the last binade. NaN for an infinity or a NaN, so that nothing is within a
// tolerance made of it.
template <format_id F>
constexpr double ulp(double value) {
  constexpr format_traits t = traits(F);
  const std::uint64_t exponent =
      std::bit_cast<std::uint64_t>(value) & detail::infinity(format_id::f64);
  constexpr double last_binade = t.max_finite / (2 - 2 * t.unit_roundoff);
  const double binade = std::bit_cast<double>(exponent);
  const double spacing =
      std::min(std::max(binade, t.smallest_normal), last_binade) * (2 * t.unit_roundoff);
  return binade <= std::numeric_limits<double>::max() ? spacing
                                                      : std::numeric_limits<double>::quiet_NaN();
}

constexpr double ulp(format_id format, double value) {
  return detail::dispatch(format, [=](auto f) { return ulp<f()>(value); });
}

// The real numbers that round to one value of a format: an interval between the midpoints to its
// neighbours, whose ends belong to it (`closed`) where the value's significand is even. To an
// infinity rounds whatever is no nearer to the largest finite number than half an ulp.
struct rounding_interval {
  double below;
  double above;
  bool closed;
};

// `value` is one of F's, F shorter than f64; the zeros are one. A NaN has no interval: its ends are
// NaN.
template <format_id F>
constexpr rounding_interval rounds_to(double value) {
  static_assert(F != format_id::f64, "its midpoints are no doubles");
  constexpr format_traits t = traits(F);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double threshold = t.max_finite + ulp<F>(t.max_finite) / 2;
  const bool closed = (encode<F>(value) & 1) == 0;
  const double size = value < 0 ? -value : value;
  double inner = threshold;
  double outer = infinity;
  if (size != infinity) {
    // The neighbour towards zero is as far away as the numbers just below `size` are apart. A zero
    // has a neighbour on either side.
    const double smaller = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) - (size > 0));
    inner = size - ulp<F>(smaller) / 2;
    outer = size + ulp<F>(size) / 2;
  }
  return value < 0 ? rounding_interval{-outer, -inner, closed}
                   : rounding_interval{inner, outer, closed};
}

constexpr rounding_interval rounds_to(format_id format, double value) {
  if (format == format_id::bf16) return rounds_to<format_id::bf16>(value);
  if (format == format_id::f16) return rounds_to<format_id::f16>(value);
  return rounds_to<format_id::f32>(value);
}

// The place on the number line: consecutive values have consecutive ordinals, negative ones below
// zero. Both zeros are 0, so the difference of two ordinals counts the steps between two values,
// across zero too (for f64 only where it fits 64 bits). Meaningless for a NaN.
constexpr std::int64_t ordinal(format_id format, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(detail::magnitude(format, bits));
  return (bits & detail::sign_mask(format)) != 0 ? -magnitude : magnitude;
}

// The pattern `steps` values up the number line (down if negative). The zeros are two patterns of
// one value and one step apart from the smallest subnormals; a walk that ends on zero has the sign
// it came from, as nextafter does. It stops at the infinities. No step, or a NaN: the same bits.
constexpr std::uint64_t neighbour(format_id format, std::uint64_t bits, int steps) {
  if (steps == 0 || is_nan(format, bits)) {
    return bits;
  }
  const auto limit = static_cast<std::int64_t>(detail::infinity(format));
  const std::int64_t target = std::clamp(ordinal(format, bits) + steps, -limit, limit);
  const bool negative = target < 0 || (target == 0 && (bits & detail::sign_mask(format)) != 0);
  return static_cast<std::uint64_t>(negative ? -target : target) |
         (negative ? detail::sign_mask(format) : 0);
}

}  // namespace driftgate::formats
