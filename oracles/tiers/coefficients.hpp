// A step's coefficients: what is computed once a step from the hyperparameters, exactly and with
// the error that a kernel may make there. A coefficient may be evaluated in binary64, in the order
// the rule writes, and is then rounded once to the compute format F. Its budget is therefore not u
// |c| but what that rounding really does, at the worse end of the binary64 interval.
#pragma once

#include <cmath>

#include "oracles/formats/format.hpp"
#include "oracles/numbers/bounded.hpp"
#include "oracles/numbers/ieee.hpp"
#include "oracles/numbers/multiprecision.hpp"
#include "oracles/tiers/block.hpp"

namespace driftgate::tiers {

// A coefficient over binary64: the exact value and the error of evaluating it there.
using coefficient = numbers::bounded<numbers::multiprecision, formats::format_id::f64>;

// beta^t. A faithful pow errs by less than one ulp, 2^-52 of the result.
inline coefficient power(const coefficient& base, std::uint64_t exponent) {
  const numbers::multiprecision value = power(base.value, static_cast<unsigned long>(exponent));
  return {value, magnitude(value) * numbers::multiprecision(0x1p-52)};
}
inline coefficient quotient(const coefficient& a, const coefficient& b) {
  return numbers::divide(a, b, coefficient::u);
}
inline coefficient root(const coefficient& a) {
  return numbers::square_root(a, coefficient::u);
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
  return larger(miss(c.value - c.error), miss(c.value + c.error));
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
