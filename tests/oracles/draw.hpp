// Random numbers for the oracles' tests: the same on every machine, from a seed.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace driftgate::tests {

enum class seed_t : std::uint64_t {};

class draw {
 public:
  explicit draw(seed_t seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  std::uint64_t bits() { return engine_(); }
  std::size_t below(std::size_t n) { return bits() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double sign() { return one_in(2) ? -1.0 : 1.0; }

  // 2^low <= x < 2^high, every binade alike, 53 random bits.
  double positive(int low, int high) {
    const int exponent = low + static_cast<int>(below(static_cast<std::size_t>(high - low)));
    return std::ldexp(1 + unit(), exponent);
  }
  double either(int low, int high) { return sign() * positive(low, high); }

  // Any finite float, bit patterns alike.
  float any_float() {
    const auto magnitude = static_cast<std::uint32_t>(below(0x7f800000u));
    return std::bit_cast<float>(magnitude | static_cast<std::uint32_t>(below(2)) << 31);
  }

  template <class T, std::size_t N>
  T of(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace driftgate::tests
