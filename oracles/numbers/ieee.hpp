// A number that follows IEEE arithmetic into overflow, infinity, NaN and signed zero.
//
// Where an input is infinite, something overflows, or the sign of a zero is in question, the real
// numbers have no answer, and what a kernel may return is what some admissible form returns in IEEE
// arithmetic. `machine` is that: the form evaluated in float. While it is finite, `real` carries
// the value and its budget, since another order of the same operations differs in the last bits;
// once `machine` is infinite or NaN it is the answer. At the threshold of overflow two evaluations
// may differ: `overflow_rule` says which of them this one follows, and both are tried.
#pragma once

#include <cmath>
#include <limits>

#include "oracles/numbers/bounded.hpp"

namespace driftgate::numbers {

// Where an intermediate at the threshold overflows: as soon as it may, only when it must, or never
// (wider intermediates, a product fused into a sum).
enum class overflow_rule { early, late, never };

// Rounding to nearest gives infinity from here on: the largest float and half an ulp.
inline constexpr double overflow_threshold = 0x1.ffffffp127;

template <class T, formats::format_id F>
struct ieee {
  static_assert(F == formats::format_id::f32, "only float is evaluated in IEEE arithmetic so far");

  using real_type = bounded<T, F>;
  static inline thread_local overflow_rule rule = overflow_rule::early;

  float machine = 0;
  real_type real{};

  ieee() = default;
  ieee(float m, real_type r) : machine(m), real(r) {}
  explicit ieee(float input) : machine(input), real(T(double(input))) {}
};

// One operation's result: `machine` if IEEE arithmetic left the finite numbers, else within the
// budget. Beyond the largest number plus half an ulp, rounding to nearest gives infinity.
template <class T, formats::format_id F>
ieee<T, F> settle(float machine, const bounded<T, F>& real, bool operands_finite) {
  using I = ieee<T, F>;
  const float largest = std::numeric_limits<float>::max();
  if (I::rule == overflow_rule::never && operands_finite) {
    // Wider intermediates do not underflow either: x / 0 is infinite where x is 0 in float only.
    const double wide = to_double(real.value);
    if (!std::isfinite(wide)) return I(static_cast<float>(wide));
    const double held = std::fmax(-largest, std::fmin(largest, wide));
    return I(static_cast<float>(held), real);
  }
  if (!operands_finite || std::isnan(machine)) return I(machine);
  const double size = to_double(magnitude(real.value));
  const double error = to_double(real.error);
  if (std::isinf(machine) && !std::isfinite(size)) return I(machine);  // a division by zero
  const bool may = size + error >= overflow_threshold;
  const bool must = size - error >= overflow_threshold;
  if (I::rule == overflow_rule::early ? may : must && I::rule == overflow_rule::late) {
    const float infinity = std::numeric_limits<float>::infinity();
    return I(is_negative(real.value) ? -infinity : infinity);
  }
  if (std::isinf(machine)) machine = std::copysign(largest, machine);
  return I(machine, real);
}

template <class T, formats::format_id F>
bool finite(const ieee<T, F>& a) {
  return std::isfinite(a.machine);
}

template <class T, formats::format_id F>
ieee<T, F> operator-(const ieee<T, F>& a) {
  return {-a.machine, -a.real};
}
template <class T, formats::format_id F>
ieee<T, F> operator+(const ieee<T, F>& a, const ieee<T, F>& b) {
  return settle<T, F>(a.machine + b.machine, a.real + b.real, finite(a) && finite(b));
}
template <class T, formats::format_id F>
ieee<T, F> operator-(const ieee<T, F>& a, const ieee<T, F>& b) {
  return a + (-b);
}
template <class T, formats::format_id F>
ieee<T, F> operator*(const ieee<T, F>& a, const ieee<T, F>& b) {
  return settle<T, F>(a.machine * b.machine, a.real * b.real, finite(a) && finite(b));
}
// a * b + c with one rounding.
template <class T, formats::format_id F>
ieee<T, F> fused(const ieee<T, F>& a, const ieee<T, F>& b, const ieee<T, F>& c) {
  return settle<T, F>(std::fma(a.machine, b.machine, c.machine), a.real * b.real + c.real,
                      finite(a) && finite(b) && finite(c));
}
// x - beta x with one rounding, where 1 - beta is one_minus_beta and F holds beta.
template <class T, formats::format_id F>
ieee<T, F> complement(const ieee<T, F>& beta, const ieee<T, F>& one_minus_beta,
                      const ieee<T, F>& x) {
  return settle<T, F>(std::fma(-beta.machine, x.machine, x.machine), one_minus_beta.real * x.real,
                      finite(x));
}
template <class T, formats::format_id F>
ieee<T, F> divide(const ieee<T, F>& a, const ieee<T, F>& b, double roundoff) {
  return settle<T, F>(a.machine / b.machine, divide(a.real, b.real, roundoff),
                      finite(a) && finite(b));
}
template <class T, formats::format_id F>
ieee<T, F> square_root(const ieee<T, F>& a, double roundoff) {
  return settle<T, F>(std::sqrt(a.machine), square_root(a.real, roundoff), finite(a));
}
// The larger of two, NaN if either is.
template <class T, formats::format_id F>
ieee<T, F> maximum(const ieee<T, F>& a, const ieee<T, F>& b) {
  if (finite(a) && finite(b)) {
    return {a.machine >= b.machine ? a.machine : b.machine, maximum(a.real, b.real)};
  }
  if (std::isnan(a.machine)) return a;
  return a.machine >= b.machine ? a : b;
}

}  // namespace driftgate::numbers
