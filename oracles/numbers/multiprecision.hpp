// A thin MPFR number that remembers whether it is exact.
//
// MPFR says after every operation (the ternary value) whether it rounded. A result that never met a
// rounding is the real number itself, and a comparison with it is final at any precision: small
// dyadic inputs are then decided even where got - exact equals the budget to the last bit.
#pragma once

#include <mpfr.h>

#include <string>
#include <utility>

#include "oracles/numbers/dd.hpp"

namespace driftgate::numbers {

class multiprecision {
 public:
  // The precision, in bits, of every number made from here to the end of the scope (of this
  // thread).
  class precision_scope {
   public:
    explicit precision_scope(int bits) : before_(precision_) { precision_ = bits; }
    ~precision_scope() { precision_ = before_; }
    precision_scope(const precision_scope&) = delete;
    precision_scope& operator=(const precision_scope&) = delete;

   private:
    int before_;
  };
  static int precision() { return precision_; }

  multiprecision() : multiprecision(0.0) {}
  multiprecision(double value) {  // NOLINT: a double is a real number
    mpfr_init2(value_, precision_);
    exact_ = mpfr_set_d(value_, value, MPFR_RNDN) == 0;
  }
  multiprecision(const multiprecision& other) : exact_(other.exact_) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  multiprecision(multiprecision&& other) noexcept : exact_(other.exact_) {
    mpfr_init2(value_, MPFR_PREC_MIN);
    mpfr_swap(value_, other.value_);
  }
  multiprecision& operator=(const multiprecision& other) {
    if (this != &other) {
      mpfr_set_prec(value_, mpfr_get_prec(other.value_));
      mpfr_set(value_, other.value_, MPFR_RNDN);
      exact_ = other.exact_;
    }
    return *this;
  }
  multiprecision& operator=(multiprecision&& other) noexcept {
    mpfr_swap(value_, other.value_);
    exact_ = other.exact_;
    return *this;
  }
  ~multiprecision() { mpfr_clear(value_); }

  bool exact() const { return exact_; }
  mpfr_srcptr get() const { return value_; }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }
  float to_float() const { return mpfr_get_flt(value_, MPFR_RNDN); }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  bool is_finite() const { return mpfr_number_p(value_) != 0; }
  bool is_nan() const { return mpfr_nan_p(value_) != 0; }
  bool is_negative() const { return mpfr_signbit(value_) != 0; }
  // The nearest number of a binary format, or an infinity, by MPFR's own rounding; exponents as in
  // formats::format_traits.
  multiprecision rounded(int bits, int emin, int emax) const {
    multiprecision r;
    mpfr_set_prec(r.value_, bits);
    const int ternary = mpfr_set(r.value_, value_, MPFR_RNDN);
    // MPFR's significands are in [1/2, 1), and its least exponent is the smallest subnormal's.
    const mpfr_exp_t least = mpfr_get_emin();
    const mpfr_exp_t greatest = mpfr_get_emax();
    mpfr_set_emin(emin - bits + 2);
    mpfr_set_emax(emax + 1);
    const int checked = mpfr_check_range(r.value_, ternary, MPFR_RNDN);
    mpfr_subnormalize(r.value_, checked, MPFR_RNDN);
    mpfr_set_emin(least);
    mpfr_set_emax(greatest);
    r.exact_ = exact_ && r == *this;
    return r;
  }
  // Decimal scientific notation with this many significant digits.
  std::string to_string(int digits = 17) const;

  friend multiprecision operator+(const multiprecision& a, const multiprecision& b) {
    return binary(mpfr_add, a, b);
  }
  friend multiprecision operator-(const multiprecision& a, const multiprecision& b) {
    return binary(mpfr_sub, a, b);
  }
  friend multiprecision operator*(const multiprecision& a, const multiprecision& b) {
    return binary(mpfr_mul, a, b);
  }
  friend multiprecision operator/(const multiprecision& a, const multiprecision& b) {
    return binary(mpfr_div, a, b);
  }
  friend multiprecision operator-(const multiprecision& a) {
    multiprecision r;
    r.exact_ = a.exact_ & (mpfr_neg(r.value_, a.value_, MPFR_RNDN) == 0);
    return r;
  }
  friend multiprecision sqrt(const multiprecision& a) {
    multiprecision r;
    r.exact_ = a.exact_ & (mpfr_sqrt(r.value_, a.value_, MPFR_RNDN) == 0);
    return r;
  }
  friend multiprecision power(const multiprecision& base, unsigned long exponent) {
    multiprecision r;
    r.exact_ = base.exact_ & (mpfr_pow_ui(r.value_, base.value_, exponent, MPFR_RNDN) == 0);
    return r;
  }
  friend multiprecision magnitude(const multiprecision& a) {
    multiprecision r;
    r.exact_ = a.exact_ & (mpfr_abs(r.value_, a.value_, MPFR_RNDN) == 0);
    return r;
  }
  friend bool operator<(const multiprecision& a, const multiprecision& b) {
    return mpfr_less_p(a.value_, b.value_) != 0;
  }
  friend bool operator>(const multiprecision& a, const multiprecision& b) { return b < a; }
  friend bool operator<=(const multiprecision& a, const multiprecision& b) {
    return mpfr_lessequal_p(a.value_, b.value_) != 0;
  }
  friend bool operator>=(const multiprecision& a, const multiprecision& b) { return b <= a; }
  friend bool operator==(const multiprecision& a, const multiprecision& b) {
    return mpfr_equal_p(a.value_, b.value_) != 0;
  }
  friend multiprecision select(bool which, const multiprecision& a, const multiprecision& b) {
    return which ? a : b;
  }
  friend const multiprecision& head_of(const multiprecision& a) { return a; }
  // The larger of two; NaN if either is.
  friend multiprecision larger(const multiprecision& a, const multiprecision& b) {
    if (a.is_nan()) return a;
    return b > a || b.is_nan() ? b : a;
  }

 private:
  template <class Operation>
  static multiprecision binary(Operation operation, const multiprecision& a,
                               const multiprecision& b) {
    multiprecision r;
    const int rounded = operation(r.value_, a.value_, b.value_, MPFR_RNDN);
    r.exact_ = a.exact_ & b.exact_ & (rounded == 0);
    return r;
  }

  static inline thread_local int precision_ = 256;
  mpfr_t value_;
  bool exact_ = true;
};

inline bool is_negative(const multiprecision& a) {
  return a.is_negative();
}
inline double to_double(const multiprecision& a) {
  return a.to_double();
}

template <class T>
double unit_roundoff();
template <>
inline double unit_roundoff<multiprecision>() {
  return std::ldexp(1.0, -multiprecision::precision());
}

// The nearest value of type T to a real number.
template <class T>
T nearest(const multiprecision& value);
template <>
inline double nearest<double>(const multiprecision& value) {
  return value.to_double();
}
template <>
inline dd nearest<dd>(const multiprecision& value) {
  const double head = value.to_double();
  if (!std::isfinite(head)) return {head, 0.0};
  return {head, (value - multiprecision(head)).to_double()};
}
template <>
inline pack nearest<pack>(const multiprecision& value) {
  return value.to_double();
}
template <>
inline dd_pack nearest<dd_pack>(const multiprecision& value) {
  const dd parts = nearest<dd>(value);
  return {parts.hi, parts.lo};
}
template <>
inline multiprecision nearest<multiprecision>(const multiprecision& value) {
  return value;
}

}  // namespace driftgate::numbers
