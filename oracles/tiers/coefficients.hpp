// A step's coefficients: what is computed once a step from the hyperparameters, exactly and with
// the error that a kernel may make there. A coefficient may be evaluated in binary64, in the order
// the rule writes, and is then rounded once to the compute format F; or it is a product, quotient
// or root, taken in single, of coefficients that are. A difference in single would cancel and is no
// coefficient but where the rule says so. The budget is therefore not u |c| but what those ways
// really do to this number, at the worse end of the binary64 interval.
#pragma once

#include <cmath>
#include <vector>

#include "oracles/formats/format.hpp"
#include "oracles/numbers/bounded.hpp"
#include "oracles/numbers/ieee.hpp"
#include "oracles/numbers/multiprecision.hpp"
#include "oracles/tiers/block.hpp"

namespace driftgate::tiers {

// A coefficient over binary64: the exact value and the error of evaluating it there. `singles` are
// its other admissible values, by float arithmetic.
struct coefficient {
  using binary64 = numbers::bounded<numbers::multiprecision, formats::format_id::f64>;

  numbers::multiprecision value;
  numbers::multiprecision error;
  std::vector<float> singles;

  coefficient() = default;
  coefficient(const binary64& c)  // NOLINT: the same number
      : value(c.value), error(c.error), singles{value.to_float()} {}
  explicit coefficient(const numbers::multiprecision& exact) : coefficient(binary64(exact)) {}
  binary64 wide() const { return {value, error}; }
};

// Adds what `in_single` gives of the operands' values.
template <class InSingle>
coefficient combined(coefficient result, const coefficient& a, const coefficient& b,
                     InSingle in_single) {
  for (const float x : a.singles) {
    for (const float y : b.singles) result.singles.push_back(in_single(x, y));
  }
  return result;
}
template <class InSingle>
coefficient combined(coefficient result, const coefficient& a, InSingle in_single) {
  for (const float x : a.singles) result.singles.push_back(in_single(x));
  return result;
}
inline coefficient operator*(const coefficient& a, const coefficient& b) {
  return combined(a.wide() * b.wide(), a, b, [](float x, float y) { return x * y; });
}
inline coefficient operator-(const coefficient& a, const coefficient& b) {
  return a.wide() - b.wide();
}
// beta^t. A faithful pow errs by less than one ulp, 2^-52 of the result.
inline coefficient power(const coefficient& base, std::uint64_t exponent) {
  const numbers::multiprecision value = power(base.value, static_cast<unsigned long>(exponent));
  return coefficient::binary64(value, magnitude(value) * numbers::multiprecision(0x1p-52));
}
inline coefficient quotient(const coefficient& a, const coefficient& b) {
  return combined(numbers::divide(a.wide(), b.wide(), coefficient::binary64::u), a, b,
                  [](float x, float y) { return x / y; });
}
inline coefficient root(const coefficient& a) {
  return combined(numbers::square_root(a.wide(), coefficient::binary64::u), a,
                  [](float x) { return std::sqrt(x); });
}
// 1 - a b where neither cancels: in single, with the product rounded or fused.
inline coefficient one_minus_product(const coefficient& a, const coefficient& b) {
  const coefficient one(numbers::multiprecision(1.0));
  const coefficient product = a * b;
  coefficient result =
      combined(one - product, one, product, [](float x, float y) { return x - y; });
  return combined(result, a, b, [](float x, float y) { return std::fma(-x, y, 1.0F); });
}
// Two orders of the same coefficient.
inline coefficient either(coefficient a, const coefficient& b) {
  a.singles.insert(a.singles.end(), b.singles.begin(), b.singles.end());
  return a;
}

// The nearest number of format F to a real number.
template <formats::format_id F>
double nearest_in(const numbers::multiprecision& value) {
  const numbers::dd parts = numbers::nearest<numbers::dd>(value);
  if (!std::isfinite(parts.hi)) return parts.hi;
  return formats::decode<F>(formats::round_with_tail<F>(parts.hi, parts.lo));
}

// What a kernel that computes in F may have for this coefficient.
template <formats::format_id F>
numbers::multiprecision coefficient_error(const coefficient& c) {
  const auto miss = [&](const numbers::multiprecision& evaluated) {
    return magnitude(numbers::multiprecision(nearest_in<F>(evaluated)) - c.value);
  };
  numbers::multiprecision error = larger(miss(c.value - c.error), miss(c.value + c.error));
  for (const float single : c.singles) {
    error = larger(error, magnitude(numbers::multiprecision(single) - c.value));
  }
  return error;
}

// The coefficient as a number of type N, which is bounded<T, F> or ieee<T, F>.
template <class N>
struct coefficient_as;

template <class T, formats::format_id F>
struct coefficient_as<numbers::bounded<T, F>> {
  static numbers::bounded<T, F> make(const coefficient& c) {
    using E = typename numbers::bounded<T, F>::error_t;
    const E error = numbers::nearest<E>(coefficient_error<F>(c));
    const T value = numbers::nearest<T>(c.value);
    return {value, error, magnitude(value) + error};
  }
};

template <class T, formats::format_id F>
struct coefficient_as<numbers::ieee<T, F>> {
  static numbers::ieee<T, F> make(const coefficient& c) {
    return {static_cast<float>(nearest_in<F>(c.value)),
            coefficient_as<numbers::bounded<T, F>>::make(c)};
  }
};

}  // namespace driftgate::tiers
