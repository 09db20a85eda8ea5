// The kernels' conversions of 16-bit formats against the oracles', which share no line with them.
#include "kernels/backend/formats.cuh"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "oracles/formats/format.hpp"

namespace driftgate::tests {
namespace {

using formats::format_id;
using kernels::host::bf16;
using kernels::host::f16;

template <class T>
constexpr format_id format_of = format_id::f32;
template <>
constexpr format_id format_of<bf16> = format_id::bf16;
template <>
constexpr format_id format_of<f16> = format_id::f16;

template <class T>
class KernelFormats : public testing::Test {
 protected:
  static constexpr format_id format = format_of<T>;

  static void expect_rounded(float x) {
    const std::uint16_t got = kernels::host::from_float<T>(x).bits;
    const std::uint64_t expected = formats::encode(format, x);
    if (std::isnan(x)) {
      EXPECT_TRUE(formats::is_nan(format, got)) << std::bit_cast<std::uint32_t>(x);
    } else {
      EXPECT_EQ(got, expected) << x;
    }
  }
};
using narrow = testing::Types<bf16, f16>;
TYPED_TEST_SUITE(KernelFormats, narrow);

TYPED_TEST(KernelFormats, EveryPatternIsTheFloatOfItsValueAndComesBack) {
  for (std::uint32_t pattern = 0; pattern <= 0xffff; ++pattern) {
    const TypeParam x{static_cast<std::uint16_t>(pattern)};
    const float widened = kernels::host::to_float(x);
    if (formats::is_nan(this->format, pattern)) {
      EXPECT_TRUE(std::isnan(widened)) << pattern;
      EXPECT_TRUE(formats::is_nan(this->format, kernels::host::from_float<TypeParam>(widened).bits))
          << pattern;
      continue;
    }
    EXPECT_EQ(
        std::bit_cast<std::uint32_t>(widened),
        std::bit_cast<std::uint32_t>(static_cast<float>(formats::decode(this->format, pattern))))
        << pattern;
    EXPECT_EQ(kernels::host::from_float<TypeParam>(widened).bits, pattern);
  }
}

TYPED_TEST(KernelFormats, EveryTieAndItsNeighboursRoundToNearestEven) {
  for (std::uint32_t pattern = 0; pattern <= 0xffff; ++pattern) {
    if (formats::is_nan(this->format, pattern)) continue;
    const auto value = static_cast<float>(formats::decode(this->format, pattern));
    const auto ends = formats::rounds_to(this->format, value);
    for (const double end : {ends.below, ends.above, static_cast<double>(value)}) {
      const auto x = static_cast<float>(end);
      this->expect_rounded(x);
      this->expect_rounded(std::nextafter(x, -std::numeric_limits<float>::infinity()));
      this->expect_rounded(std::nextafter(x, std::numeric_limits<float>::infinity()));
    }
  }
}

TYPED_TEST(KernelFormats, FloatsOfAllBinadesAndEveryKindOfNaNAreRounded) {
  std::mt19937 bits(1);
  for (int i = 0; i < 2'000'000; ++i) {
    this->expect_rounded(std::bit_cast<float>(static_cast<std::uint32_t>(bits())));
  }
  // A NaN whose payload is in the bits that go, and the largest.
  for (const std::uint32_t nan : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffffffffu}) {
    this->expect_rounded(std::bit_cast<float>(nan));
  }
  for (const std::uint32_t tiny : {0u, 1u, 0x7fffffu, 0x800000u, 0x80000001u}) {
    this->expect_rounded(std::bit_cast<float>(tiny));
  }
}

}  // namespace
}  // namespace driftgate::tests
