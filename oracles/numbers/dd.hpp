// Double-double arithmetic: an unevaluated sum of two doubles, about 106 bits.
//
// Algorithms and error bounds after Joldes, Muller, Popescu, "Tight and rigorous error bounds for
// basic building blocks of double-word arithmetic" (ACM TOMS 44, 2017): sum 3 u^2, product 5 u^2,
// quotient 15 u^2 (u = 2^-53). No branches, so that loops over dd vectorise. Overflow and NaN are
// not handled: results that are not finite are decided elsewhere.
#pragma once

#include "oracles/numbers/pack.hpp"

namespace driftgate::numbers {

// R is double, or pack for eight at a time.
template <class R>
struct basic_dd {
  R hi{};
  R lo{};

  basic_dd() = default;
  basic_dd(R value) : hi(value) {}  // NOLINT: an R is a dd
  basic_dd(R head, R tail) : hi(head), lo(tail) {}
};

using dd = basic_dd<double>;
using dd_pack = basic_dd<pack>;

// a + b exactly (Knuth).
template <class R>
inline basic_dd<R> two_sum(R a, R b) {
  const R s = a + b;
  const R bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}

// a + b exactly for |a| >= |b| or a = 0 (Dekker).
template <class R>
inline basic_dd<R> fast_two_sum(R a, R b) {
  const R s = a + b;
  return {s, b - (s - a)};
}

// a * b exactly, barring underflow.
template <class R>
inline basic_dd<R> two_product(R a, R b) {
  const R p = a * b;
  return {p, fma(a, b, -p)};
}

template <class R>
inline basic_dd<R> operator-(basic_dd<R> a) {
  return {-a.hi, -a.lo};
}

template <class R>
inline basic_dd<R> operator+(basic_dd<R> a, basic_dd<R> b) {
  const basic_dd<R> s = two_sum(a.hi, b.hi);
  const basic_dd<R> t = two_sum(a.lo, b.lo);
  const basic_dd<R> v = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(v.hi, t.lo + v.lo);
}

template <class R>
inline basic_dd<R> operator-(basic_dd<R> a, basic_dd<R> b) {
  return a + (-b);
}

template <class R>
inline basic_dd<R> operator*(basic_dd<R> a, basic_dd<R> b) {
  const basic_dd<R> c = two_product(a.hi, b.hi);
  const R low = fma(a.hi, b.lo, a.lo * b.hi);
  return fast_two_sum(c.hi, c.lo + low);
}

template <class R>
inline basic_dd<R> operator/(basic_dd<R> a, basic_dd<R> b) {
  const R q = a.hi / b.hi;
  const basic_dd<R> r = a - basic_dd<R>(q) * b;
  return fast_two_sum(q, (r.hi + r.lo) / b.hi);
}

// Square root of a >= 0: one Newton step from the root of the head; the root of 0 is 0.
template <class R>
inline basic_dd<R> sqrt(basic_dd<R> a) {
  const R root = sqrt(a.hi);
  const basic_dd<R> r = a - two_product(root, root);
  const R correction = (r.hi + r.lo) / (root + root);
  return fast_two_sum(root, select(root > R(0.0), correction, R(0.0)));
}

template <class R>
inline R magnitude(basic_dd<R> a) {
  return magnitude(a.hi + a.lo);
}
template <class R>
inline auto to_double(basic_dd<R> a) {
  return a.hi + a.lo;
}
template <class R, class Mask>
inline basic_dd<R> select(Mask which, basic_dd<R> a, basic_dd<R> b) {
  return {select(which, a.hi, b.hi), select(which, a.lo, b.lo)};
}
template <class R>
inline basic_dd<R> larger(basic_dd<R> a, basic_dd<R> b) {
  return select((a.hi > b.hi) | ((a.hi == b.hi) & (a.lo >= b.lo)), a, b);
}
inline bool is_negative(dd a) {
  return std::signbit(a.hi);
}

}  // namespace driftgate::numbers
