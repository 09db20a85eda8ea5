// Eight doubles that are computed together: what the fast tiers are evaluated over.
//
// The compiler's vector types, so that one text serves SSE2, AVX2, AVX-512 and Neon; comparisons
// give a mask, and select() takes the place of ?: for packs and for single numbers alike.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace driftgate::numbers {

struct pack {
  static constexpr std::size_t lanes = 8;
  typedef double vector __attribute__((vector_size(lanes * sizeof(double))));
  typedef decltype(vector{} < vector{}) mask;

  vector v;

  pack() : v{} {}
  pack(vector x) : v(x) {}             // NOLINT: a vector is a pack
  pack(double x) : v(x - vector{}) {}  // NOLINT: the same in every lane
};

inline pack operator-(pack a) {
  return {-a.v};
}
inline pack operator+(pack a, pack b) {
  return {a.v + b.v};
}
inline pack operator-(pack a, pack b) {
  return {a.v - b.v};
}
inline pack operator*(pack a, pack b) {
  return {a.v * b.v};
}
inline pack operator/(pack a, pack b) {
  return {a.v / b.v};
}
inline pack::mask operator<(pack a, pack b) {
  return a.v < b.v;
}
inline pack::mask operator>(pack a, pack b) {
  return a.v > b.v;
}
inline pack::mask operator<=(pack a, pack b) {
  return a.v <= b.v;
}
inline pack::mask operator>=(pack a, pack b) {
  return a.v >= b.v;
}
inline pack::mask operator==(pack a, pack b) {
  return a.v == b.v;
}

inline pack select(pack::mask which, pack a, pack b) {
  return {which ? a.v : b.v};
}
inline double select(bool which, double a, double b) {
  return which ? a : b;
}

inline pack sqrt(pack a) {
  pack r;
  for (std::size_t i = 0; i < pack::lanes; ++i) r.v[i] = __builtin_sqrt(a.v[i]);
  return r;
}
inline pack fma(pack a, pack b, pack c) {
  pack r;
  for (std::size_t i = 0; i < pack::lanes; ++i) r.v[i] = __builtin_fma(a.v[i], b.v[i], c.v[i]);
  return r;
}
inline pack magnitude(pack a) {
  constexpr long long but_the_sign = std::numeric_limits<long long>::max();
  return {reinterpret_cast<pack::vector>(reinterpret_cast<pack::mask>(a.v) & but_the_sign)};
}
// Of lanes that are not NaN, those whose signs are the same.
inline pack::mask same_sign(pack a, pack b) {
  return (reinterpret_cast<pack::mask>(a.v) ^ reinterpret_cast<pack::mask>(b.v)) >= 0;
}
inline pack to_double(pack a) {
  return a;
}
inline pack larger(pack a, pack b) {
  return select(a > b, a, b);
}

inline double sqrt(double a) {
  return std::sqrt(a);
}
inline double fma(double a, double b, double c) {
  return std::fma(a, b, c);
}
inline double magnitude(double a) {
  return std::fabs(a);
}
inline double larger(double a, double b) {
  return a > b ? a : b;
}
inline double to_double(double a) {
  return a;
}
inline bool is_negative(double a) {
  return std::signbit(a);
}

}  // namespace driftgate::numbers
