// A value with the error that a kernel is allowed to have there.
//
// `value` is the rule evaluated in T. `error` is the budget: the largest error of the same
// expression evaluated in the compute format F, one rounding an operation, by the standard model
//   fl(x) = x (1 + d) + h,  |d| <= u,  |h| <= eta  (Higham, "Accuracy and Stability", section 2.2):
// with q the error that the operands bring along, an operation gives q + u (|value| + q), and
// products and quotients add eta for underflow. What IEEE arithmetic does exactly has no error: a
// product with an exact zero or an exact one, a sum with an exact zero, a maximum.
//
// `reach` is the largest magnitude met on the way. Where it stays below F's largest number no
// evaluation of the expression overflows; elsewhere the special-value rule decides, not the budget.
// `error` is NaN where a denominator's interval contains zero, or all but does (`singular`): the
// case has no meaningful budget.
//
// How far `value` itself is from the real number, as T rounds too: the recursion is superlinear in
// u and T makes the same operations with a unit roundoff w, so |value - exact| <= (w / u) error,
// twice that where a coefficient's own error is below u. decision_window() is that, with room for
// the operations on the errors themselves; inside it T cannot decide and a more precise T does.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "oracles/formats/format.hpp"
#include "oracles/numbers/dd.hpp"

namespace driftgate::numbers {

class multiprecision;

// A divisor b with an error of more than (1 - singular) |b| is taken to be possibly zero; so is the
// lower end of a square root's interval below singular |a|. Beyond it the budget would be more than
// 1 / singular of its operands', and computing it would cancel.
inline constexpr double singular = 0x1p-10;

// Errors need few digits: a dd's are doubles, a multiprecision's of its own kind so that they can
// be exact.
template <class T>
struct error_type {
  using type = T;
};
template <class R>
struct error_type<basic_dd<R>> {
  using type = R;
};

// Takes the place of a quantity that is not wanted.
struct nothing {
  nothing() = default;
  template <class Any>
  nothing(const Any&) {}  // NOLINT: any value is as good
};
inline nothing larger(nothing, nothing) {
  return {};
}

// Packs have no reach: what a block passes at sight is within its budget, overflow or not.
template <class T>
struct reach_type : error_type<T> {};
template <>
struct reach_type<pack> {
  using type = nothing;
};
template <>
struct reach_type<dd_pack> {
  using type = nothing;
};

template <class T, formats::format_id F>
struct bounded {
  using value_type = T;
  using error_t = typename error_type<T>::type;
  using reach_t = typename reach_type<T>::type;
  static constexpr double u = formats::traits(F).unit_roundoff;
  static constexpr double eta = formats::traits(F).half_smallest_subnormal;
  static constexpr formats::format_id format = F;

  T value{};
  error_t error{};
  [[no_unique_address]] reach_t reach{};

  bounded() = default;
  bounded(T v) : value(v), reach(magnitude(v)) {}  // NOLINT: an input is exact
  explicit bounded(double v) requires(!std::is_same_v<T, double>) : bounded(T(error_t(v))) {}
  bounded(T v, error_t e) : value(v), error(e), reach(magnitude(v)) {}
  bounded(T v, error_t e, reach_t r) : value(v), error(e), reach(r) {}

  auto is_exact_zero() const { return magnitude(value) + error == error_t(0.0); }
};

// The budget of one operation: operands bring q, the operation itself errs by `roundoff` relative
// to its result and by `underflow`, and both vanish where the result is an exact zero.
template <class T, formats::format_id F, class E>
inline bounded<T, F> rounded(T value, E q, typename bounded<T, F>::reach_t reach, double roundoff,
                             double underflow) {
  const E size = magnitude(value) + q;
  const E own = E(roundoff) * size + select(size == E(0.0), E(0.0), E(underflow));
  return {value, q + own, larger(reach, typename bounded<T, F>::reach_t(size))};
}

template <class T, formats::format_id F>
inline bounded<T, F> operator-(const bounded<T, F>& a) {
  return {-a.value, a.error, a.reach};
}

template <class T, formats::format_id F>
inline bounded<T, F> operator+(const bounded<T, F>& a, const bounded<T, F>& b) {
  using E = typename bounded<T, F>::error_t;
  const T value = a.value + b.value;
  const E q = a.error + b.error;
  const E size = magnitude(value) + q;
  const E own = select(a.is_exact_zero() | b.is_exact_zero(), E(0.0), E(bounded<T, F>::u) * size);
  using reach_t = typename bounded<T, F>::reach_t;
  return {value, q + own, larger(larger(a.reach, b.reach), reach_t(size))};
}

template <class T, formats::format_id F>
inline bounded<T, F> operator-(const bounded<T, F>& a, const bounded<T, F>& b) {
  return a + (-b);
}

// The left factor may be a coefficient that is exactly one; the product is then the right factor.
template <class T, formats::format_id F>
inline bounded<T, F> operator*(const bounded<T, F>& a, const bounded<T, F>& b) {
  using E = typename bounded<T, F>::error_t;
  const E va = magnitude(a.value);
  const E vb = magnitude(b.value);
  const auto unit = (va == E(1.0)) & (a.error == E(0.0));
  const E q = va * b.error + vb * a.error + a.error * b.error;
  const T value = a.value * b.value;
  const E size = magnitude(value) + q;
  const E roundoff = E(bounded<T, F>::u) * size + E(bounded<T, F>::eta);
  const E own = select(unit | (size == E(0.0)), E(0.0), roundoff);
  using reach_t = typename bounded<T, F>::reach_t;
  return {value, q + own, larger(larger(a.reach, b.reach), reach_t(size))};
}

// The quotient; `roundoff` is u for a correctly rounded division, more where a contract says
// div=ulp:N. NaN error where the divisor may be zero without being an exact zero.
template <class T, formats::format_id F>
inline bounded<T, F> divide(const bounded<T, F>& a, const bounded<T, F>& b, double roundoff) {
  using E = typename bounded<T, F>::error_t;
  const E vb = magnitude(b.value);
  const E closest = vb - b.error;
  const T value = a.value / b.value;
  const E spread = (magnitude(value) * b.error + a.error) / closest;
  const auto apart = (closest > E(singular) * vb) | b.is_exact_zero();
  const E q = select(apart, spread, E(std::numeric_limits<double>::quiet_NaN()));
  // An ulp of a subnormal quotient is 2 eta: so many more ulps, so many times eta.
  return rounded<T, F, E>(value, q, larger(a.reach, b.reach), roundoff,
                          bounded<T, F>::eta * (roundoff / bounded<T, F>::u));
}

// The square root of a value >= 0, with the exact difference of roots at the ends of the interval.
template <class T, formats::format_id F>
inline bounded<T, F> square_root(const bounded<T, F>& a, double roundoff) {
  using E = typename bounded<T, F>::error_t;
  const T root = sqrt(a.value);
  const E va = magnitude(a.value);
  const E r = magnitude(root);
  const E below = va - a.error;
  const auto apart = below > E(singular) * va;
  // Below, r - sqrt(a - e) without its cancellation; where the interval reaches zero, either side.
  const E end = sqrt(select(apart, below, va + a.error));
  const E q = select(apart, a.error / (r + end), larger(r, end - r));
  return rounded<T, F, E>(root, q, a.reach, roundoff, 0.0);
}

// The same with no more than that budget, for one root less: the difference of roots is at least
// its slope at `a` makes it, and at least r where the interval reaches zero.
template <class T, formats::format_id F>
inline bounded<T, F> square_root_at_least(const bounded<T, F>& a, double roundoff) {
  using E = typename bounded<T, F>::error_t;
  const T root = sqrt(a.value);
  const E r = magnitude(root);
  const E slope = a.error / (r + r);
  return rounded<T, F, E>(root, select(slope < r, slope, r), a.reach, roundoff, 0.0);
}

// A value as a number of the errors' type.
inline pack head_of(pack a) {
  return a;
}
inline double head_of(double a) {
  return a;
}
template <class R>
inline R head_of(basic_dd<R> a) {
  return a.hi + a.lo;
}

template <class T, formats::format_id F>
inline bounded<T, F> maximum(const bounded<T, F>& a, const bounded<T, F>& b) {
  using E = typename bounded<T, F>::error_t;
  // The maximum moves by no more than its operands do, and not at all by one that cannot be the
  // larger.
  const E va = head_of(a.value);
  const E vb = head_of(b.value);
  // larger() alone would drop a NaN on its left.
  const T value = select(va == va, larger(a.value, b.value), a.value);
  const E both = larger(a.error, b.error);
  const E error = select(va - a.error > vb + b.error, a.error,
                         select(vb - b.error > va + a.error, b.error, both));
  return {value, error, larger(a.reach, b.reach)};
}

// The value of `a` with the larger budget and reach of the two: a stage's bound over its forms.
template <class T, formats::format_id F>
inline bounded<T, F> wider(const bounded<T, F>& a, const bounded<T, F>& b) {
  using E = typename bounded<T, F>::error_t;
  const E sum = a.error + b.error;  // NaN if either is: no meaningful budget
  const E error = select(sum == sum, larger(a.error, b.error), sum);
  return {a.value, error, larger(a.reach, b.reach)};
}

// Unit roundoff of T, as a bound on its four operations and square root (dd: the quotient's 15
// u^2).
template <class T>
double unit_roundoff();
template <>
constexpr double unit_roundoff<double>() {
  return 0x1p-53;
}
template <>
constexpr double unit_roundoff<dd>() {
  return 0x1p-102;
}
template <>
constexpr double unit_roundoff<pack>() {
  return unit_roundoff<double>();
}

// How far a value in T may be from the real number, relative to its budget: 8 (w / u).
template <class T, formats::format_id F>
constexpr double value_window() {
  return 8 * unit_roundoff<T>() / bounded<T, F>::u;
}

// The relative distance from the budget within which T cannot decide: the value's window, and 2^8
// operations on errors, each amplified by at most 1 / singular. A root and a division may follow
// one another (AdamW with eps = 0): the root of an operand that is all but lost keeps the square
// root of `singular`, and the two together amplify no more than one of them alone may.
template <class T, formats::format_id F>
constexpr double decision_window() {
  const double e = unit_roundoff<typename bounded<T, F>::error_t>();
  return value_window<T, F>() + 0x1p8 * e / singular;
}

}  // namespace driftgate::numbers
