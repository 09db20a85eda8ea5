// The formats against independent computations: all patterns of the 16-bit formats, a dense sweep
// of f32.
#include "oracles/formats/format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace driftgate::formats {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t pattern_count = 1 << 16;

// The definition: (-1)^sign 2^exponent (1.fraction or 0.fraction), from the fields.
template <format_id F>
double by_definition(std::uint64_t bits) {
  constexpr int fraction_bits = traits(F).precision - 1;
  constexpr int exponent_bits = traits(F).bits - 1 - fraction_bits;
  const int sign = (bits >> (fraction_bits + exponent_bits)) & 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = static_cast<int>(bits & ((std::uint64_t{1} << fraction_bits) - 1));
  double value;
  if (exponent == (1 << exponent_bits) - 1) {
    value = fraction == 0 ? infinity : nan;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, traits(F).emin - fraction_bits);
  } else {
    value = std::ldexp(fraction + (1 << fraction_bits), exponent - traits(F).emax - fraction_bits);
  }
  return sign ? -value : value;
}

// The same zero, the same number, or both NaN.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <format_id F>
void every_pattern_has_the_value_of_its_definition() {
  for (std::uint64_t bits = 0; bits < pattern_count; ++bits) {
    ASSERT_TRUE(same(decode(F, bits), by_definition<F>(bits))) << std::hex << bits;
  }
}

template <format_id F>
void every_pattern_survives_a_round_trip() {
  for (std::uint64_t bits = 0; bits < pattern_count; ++bits) {
    const std::uint64_t again = encode(F, decode(F, bits));
    if (is_nan(F, bits)) {
      ASSERT_TRUE(is_nan(F, again)) << std::hex << bits;
    } else {
      ASSERT_EQ(again, bits);
    }
  }
}

// Calls check(lower, upper, midpoint) for all pairs of neighbours that are not negative. The last
// upper one is infinity, in whose place IEEE 754 rounds as if 2^(emax + 1) were there.
template <format_id F, class Check>
void for_each_midpoint(Check check) {
  for (std::uint64_t lower = 0; !is_inf(F, lower); ++lower) {
    const double next =
        is_inf(F, lower + 1) ? std::ldexp(1, traits(F).emax + 1) : by_definition<F>(lower + 1);
    check(lower, lower + 1, (by_definition<F>(lower) + next) / 2);
  }
}

template <format_id F>
void every_tie_goes_to_even_and_what_is_beside_it_to_its_side() {
  const std::uint64_t minus = encode(F, -0.0);
  for_each_midpoint<F>([&](std::uint64_t lower, std::uint64_t upper, double midpoint) {
    const double below = std::nextafter(midpoint, 0);
    const double above = std::nextafter(midpoint, infinity);
    const std::uint64_t even = lower % 2 == 0 ? lower : upper;
    ASSERT_EQ(encode(F, below), lower);
    ASSERT_EQ(encode(F, midpoint), even);
    ASSERT_EQ(encode(F, above), upper);
    ASSERT_EQ(encode(F, -below), lower | minus);
    ASSERT_EQ(encode(F, -midpoint), even | minus);
    ASSERT_EQ(encode(F, -above), upper | minus);
  });
}

template <format_id F>
void a_tail_of_any_size_decides_every_tie() {
  const std::uint64_t minus = encode(F, -0.0);
  for_each_midpoint<F>([&](std::uint64_t lower, std::uint64_t upper, double midpoint) {
    const double half_ulp = ulp(format_id::f64, std::nextafter(midpoint, 0)) / 2;
    for (const double tail : {half_ulp, half_ulp / 3, std::numeric_limits<double>::denorm_min()}) {
      ASSERT_EQ(round_with_tail(F, midpoint, tail), upper);
      ASSERT_EQ(round_with_tail(F, midpoint, -tail), lower);
      ASSERT_EQ(round_with_tail(F, -midpoint, tail), lower | minus);
      ASSERT_EQ(round_with_tail(F, -midpoint, -tail), upper | minus);
    }
    // Heads beside the tie, with tails that point at it but do not reach it.
    ASSERT_EQ(round_with_tail(F, std::nextafter(midpoint, 0), half_ulp), lower);
    ASSERT_EQ(round_with_tail(F, std::nextafter(midpoint, infinity), -half_ulp), upper);
    ASSERT_EQ(round_with_tail(F, midpoint, 0), lower % 2 == 0 ? lower : upper);
  });
}

template <format_id F>
void an_ulp_is_the_distance_to_the_next_larger_magnitude() {
  for (std::uint64_t bits = 0; !is_inf(F, bits + 1); ++bits) {
    const double value = by_definition<F>(bits);
    const double next = by_definition<F>(bits + 1);
    ASSERT_EQ(ulp(F, value), next - value);
    ASSERT_EQ(ulp(F, -value), next - value);
    ASSERT_EQ(ulp(F, std::nextafter(next, 0)), next - value);
  }
}

template <format_id F>
void neighbours_are_one_step_apart_on_the_number_line() {
  for (std::uint64_t bits = 0; bits < pattern_count; ++bits) {
    if (is_nan(F, bits)) {
      ASSERT_EQ(neighbour(F, bits, 1), bits);
      continue;
    }
    const std::uint64_t up = neighbour(F, bits, 1);
    const std::uint64_t down = neighbour(F, bits, -1);
    const double value = by_definition<F>(bits);
    if (value < infinity) {
      ASSERT_EQ(ordinal(F, up), ordinal(F, bits) + 1);
      ASSERT_LT(value, decode(F, up));
      ASSERT_EQ(decode(F, neighbour(F, up, -1)), value);
    } else {
      ASSERT_EQ(up, bits);
    }
    if (value > -infinity) {
      ASSERT_EQ(ordinal(F, down), ordinal(F, bits) - 1);
      ASSERT_GT(value, decode(F, down));
    } else {
      ASSERT_EQ(down, bits);
    }
  }
}

template <format_id F>
void the_classes_of_every_pattern_are_those_of_its_value() {
  for (std::uint64_t bits = 0; bits < pattern_count; ++bits) {
    const double value = by_definition<F>(bits);
    ASSERT_EQ(is_nan(F, bits), std::isnan(value));
    ASSERT_EQ(is_inf(F, bits), std::isinf(value));
    ASSERT_EQ(is_zero(F, bits), value == 0);
    ASSERT_EQ(is_subnormal(F, bits), value != 0 && std::abs(value) < traits(F).smallest_normal);
  }
}

TEST(Formats, EveryBf16PatternHasTheValueOfItsDefinition) {
  every_pattern_has_the_value_of_its_definition<format_id::bf16>();
}
TEST(Formats, EveryF16PatternHasTheValueOfItsDefinition) {
  every_pattern_has_the_value_of_its_definition<format_id::f16>();
}
TEST(Formats, EveryBf16PatternSurvivesARoundTrip) {
  every_pattern_survives_a_round_trip<format_id::bf16>();
}
TEST(Formats, EveryF16PatternSurvivesARoundTrip) {
  every_pattern_survives_a_round_trip<format_id::f16>();
}
TEST(Formats, EveryBf16TieGoesToEvenAndWhatIsBesideItToItsSide) {
  every_tie_goes_to_even_and_what_is_beside_it_to_its_side<format_id::bf16>();
}
TEST(Formats, EveryF16TieGoesToEvenAndWhatIsBesideItToItsSide) {
  every_tie_goes_to_even_and_what_is_beside_it_to_its_side<format_id::f16>();
}
TEST(Formats, ATailOfAnySizeDecidesEveryBf16Tie) {
  a_tail_of_any_size_decides_every_tie<format_id::bf16>();
}
TEST(Formats, ATailOfAnySizeDecidesEveryF16Tie) {
  a_tail_of_any_size_decides_every_tie<format_id::f16>();
}
TEST(Formats, ABf16UlpIsTheDistanceToTheNextLargerMagnitude) {
  an_ulp_is_the_distance_to_the_next_larger_magnitude<format_id::bf16>();
}
TEST(Formats, AnF16UlpIsTheDistanceToTheNextLargerMagnitude) {
  an_ulp_is_the_distance_to_the_next_larger_magnitude<format_id::f16>();
}
TEST(Formats, Bf16NeighboursAreOneStepApartOnTheNumberLine) {
  neighbours_are_one_step_apart_on_the_number_line<format_id::bf16>();
}
TEST(Formats, F16NeighboursAreOneStepApartOnTheNumberLine) {
  neighbours_are_one_step_apart_on_the_number_line<format_id::f16>();
}
TEST(Formats, TheClassesOfEveryBf16PatternAreThoseOfItsValue) {
  the_classes_of_every_pattern_are_those_of_its_value<format_id::bf16>();
}
TEST(Formats, TheClassesOfEveryF16PatternAreThoseOfItsValue) {
  the_classes_of_every_pattern_are_those_of_its_value<format_id::f16>();
}

// Calls check(double) for both signs of doubles in every binade around f32's range: random ones,
// and the ties between random neighbours with the doubles beside them.
template <class Check>
void for_each_double_around_f32(Check check) {
  constexpr int per_binade = 2000;
  std::mt19937_64 random(1);
  for (int exponent = traits(format_id::f32).emin - 30; exponent <= 130; ++exponent) {
    for (int i = 0; i < per_binade; ++i) {
      const double any = std::ldexp(0x1p52 + static_cast<double>(random() >> 12), exponent - 52);
      // In the subnormal binades fewer bits are left, so the tie lies higher up.
      const int precision = std::clamp(exponent - traits(format_id::f32).emin + 24, 1, 24);
      const double tie = std::ldexp(
          std::ldexp(1, precision) + 1 +
              2 * std::floor(std::ldexp(static_cast<double>(random() >> 12), precision - 1 - 52)),
          exponent - precision);
      for (const double value : {any, tie, std::nextafter(tie, 0), std::nextafter(tie, infinity)}) {
        check(value);
        check(-value);
      }
    }
  }
}

TEST(Formats, F32RoundsAsTheProcessorDoes) {
  for_each_double_around_f32([](double value) {
    ASSERT_EQ(encode(format_id::f32, value),
              std::bit_cast<std::uint32_t>(static_cast<float>(value)))
        << std::hexfloat << value;
  });
  for (const double value : {0.0, -0.0, infinity, -infinity, 0x1.ffffffp127, 0x1.fffffefffffffp127,
                             std::numeric_limits<double>::denorm_min(), 0x1p-1022, 0x1p1023}) {
    EXPECT_EQ(encode(format_id::f32, value),
              std::bit_cast<std::uint32_t>(static_cast<float>(value)))
        << std::hexfloat << value;
  }
}

TEST(Formats, AnF32PatternHasTheValueOfItsDefinition) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t bits = random() >> 32;
    ASSERT_TRUE(same(decode(format_id::f32, bits), by_definition<format_id::f32>(bits))) << bits;
    if (!is_nan(format_id::f32, bits)) {
      ASSERT_EQ(encode(format_id::f32, decode(format_id::f32, bits)), bits);
    }
  }
}

// binary128 holds every sum of a double and a tail that is not much smaller, and the compiler
// rounds it to float once.
__extension__ using quad = __float128;

TEST(Formats, AnF32SumOfHeadAndTailIsRoundedOnce) {
  std::mt19937_64 random(3);
  for_each_double_around_f32([&](double head) {
    const double largest = ulp(format_id::f64, head) / 2;
    const double tail = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63) *
                        std::ldexp(largest, -static_cast<int>(random() % 4));
    ASSERT_EQ(round_with_tail(format_id::f32, head, tail),
              std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<quad>(head) + tail)))
        << std::hexfloat << head << ' ' << tail;
  });
}

TEST(Formats, RoundingTheHeadAloneWouldRoundTwice) {
  const double head = 1 + 0x1p-24;  // a tie in f32
  EXPECT_EQ(decode(format_id::f32, encode(format_id::f32, head)), 1);
  EXPECT_EQ(decode(format_id::f32, round_with_tail(format_id::f32, head, 0x1p-100)), 1 + 0x1p-23);
  EXPECT_EQ(decode(format_id::f32, round_with_tail(format_id::f32, head, -0x1p-100)), 1);
}

TEST(Formats, ATailBesideAnInfiniteOrZeroHeadIsIgnored) {
  for (const format_id format : {format_id::f32, format_id::bf16, format_id::f16, format_id::f64}) {
    EXPECT_EQ(round_with_tail(format, infinity, nan), encode(format, infinity));
    EXPECT_EQ(round_with_tail(format, -0.0, 0), encode(format, -0.0));
    EXPECT_TRUE(is_nan(format, round_with_tail(format, nan, 0)));
  }
}

TEST(Formats, F64KeepsEveryBitAndRoundsASumToEven) {
  for (const std::uint64_t bits : {0x1ul, 0x7ff8000000000123ul, 0x8000000000000000ul}) {
    EXPECT_EQ(encode(format_id::f64, decode(format_id::f64, bits)), bits);
  }
  EXPECT_EQ(decode(format_id::f64, round_with_tail(format_id::f64, 1, 0x1p-53)), 1);
  EXPECT_EQ(decode(format_id::f64, round_with_tail(format_id::f64, 1 + 0x1p-52, 0x1p-53)),
            1 + 0x1p-51);
  EXPECT_EQ(ulp(format_id::f64, 0), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(ulp(format_id::f64, 1), std::numeric_limits<double>::epsilon());
  EXPECT_EQ(ulp(format_id::f64, std::numeric_limits<double>::max()), 0x1p971);
}

TEST(Formats, AnF32UlpIsRightAtItsEdges) {
  const format_id f32 = format_id::f32;
  EXPECT_EQ(ulp(f32, 0), 0x1p-149);
  EXPECT_EQ(ulp(f32, 0x1p-126), 0x1p-149);
  EXPECT_EQ(ulp(f32, std::nextafter(0x1p-125, 0)), 0x1p-149);
  EXPECT_EQ(ulp(f32, 0x1p-125), 0x1p-148);
  EXPECT_EQ(ulp(f32, std::nextafter(1, 0)), 0x1p-24);
  EXPECT_EQ(ulp(f32, -1), 0x1p-23);
  EXPECT_EQ(ulp(f32, traits(f32).max_finite), 0x1p104);
  EXPECT_EQ(ulp(f32, 0x1p500), 0x1p104);
  EXPECT_TRUE(std::isnan(ulp(f32, infinity)));
  EXPECT_TRUE(std::isnan(ulp(f32, nan)));
}

TEST(Formats, AWalkAcrossZeroCountsItOnce) {
  const format_id f32 = format_id::f32;
  const std::uint64_t least = 1;
  const std::uint64_t minus = 0x80000000;
  EXPECT_EQ(neighbour(f32, least, -2), minus | least);
  EXPECT_EQ(neighbour(f32, minus | least, 2), least);
  EXPECT_EQ(neighbour(f32, least, -1), 0u);
  EXPECT_EQ(neighbour(f32, minus | least, 1), minus);
  EXPECT_EQ(neighbour(f32, minus, 1), least);
  EXPECT_EQ(neighbour(f32, 0, -1), minus | least);
  EXPECT_EQ(neighbour(f32, minus, 0), minus);
  EXPECT_EQ(ordinal(f32, minus), ordinal(f32, 0));
}

template <format_id F>
void expect_intervals_hold_what_rounds_to_them() {
  for (std::uint64_t bits = 0; bits < pattern_count; ++bits) {
    const auto pattern = static_cast<storage_t<F>>(bits);
    const double value = decode<F>(pattern);
    const rounding_interval from = rounds_to<F>(value);
    if (is_nan(F, bits)) {
      EXPECT_TRUE(std::isnan(from.below) && std::isnan(from.above)) << bits;
      continue;
    }
    const auto rounds_here = [&](double x) { return round<F>(x) == value; };
    for (const double end : {from.below, from.above}) {
      if (std::isinf(end)) {
        EXPECT_EQ(end, value);
        continue;
      }
      const double outwards = end == from.below ? -infinity : infinity;
      EXPECT_EQ(rounds_here(end), from.closed) << bits;
      EXPECT_TRUE(rounds_here(std::nextafter(end, -outwards))) << bits;
      EXPECT_FALSE(rounds_here(std::nextafter(end, outwards))) << bits;
    }
  }
}
TEST(Formats, TheIntervalOfEveryBf16PatternHoldsWhatRoundsToIt) {
  expect_intervals_hold_what_rounds_to_them<format_id::bf16>();
}
TEST(Formats, TheIntervalOfEveryF16PatternHoldsWhatRoundsToIt) {
  expect_intervals_hold_what_rounds_to_them<format_id::f16>();
}

TEST(Formats, TheTraitsAgreeWithThePatterns) {
  for (const format_id format : {format_id::f32, format_id::bf16, format_id::f16, format_id::f64}) {
    const format_traits t = traits(format);
    const std::uint64_t plus_infinity = encode(format, infinity);
    EXPECT_EQ(decode(format, neighbour(format, plus_infinity, -1)), t.max_finite);
    EXPECT_EQ(t.smallest_normal, std::ldexp(1, t.emin));
    EXPECT_EQ(t.emax, std::ilogb(t.max_finite));
    EXPECT_EQ(t.unit_roundoff, std::ldexp(1, -t.precision));
    EXPECT_FALSE(is_subnormal(format, encode(format, t.smallest_normal)));
    EXPECT_TRUE(is_subnormal(format, neighbour(format, encode(format, t.smallest_normal), -1)));
    EXPECT_EQ(bytes(format) * 8, static_cast<std::size_t>(t.bits));
    if (format != format_id::f64) {
      EXPECT_EQ(2 * t.half_smallest_subnormal, decode(format, 1));
    } else {
      EXPECT_EQ(t.half_smallest_subnormal, decode(format, 1));  // half of it is no double
    }
  }
}

TEST(Formats, ANameParsesToItsFormatAndNothingElseDoes) {
  for (const format_id format : {format_id::f32, format_id::bf16, format_id::f16, format_id::f64}) {
    EXPECT_EQ(parse(name(format)), format);
  }
  EXPECT_EQ(parse("float32"), std::nullopt);
  EXPECT_EQ(parse(""), std::nullopt);
  EXPECT_EQ(parse("F32"), std::nullopt);
}

static_assert(round<format_id::bf16>(1 + 0x1p-9) == 1);
static_assert(ulp<format_id::f16>(1) == 0x1p-10);

}  // namespace
}  // namespace driftgate::formats
