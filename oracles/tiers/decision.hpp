// What has been decided of one output, and the decision by a value and its budget.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "oracles/numbers/bounded.hpp"
#include "oracles/numbers/multiprecision.hpp"
#include "oracles/rules/evaluator.hpp"

namespace driftgate::tiers {

// Found by name for double too, which has no namespace to look in.
using numbers::magnitude;
using numbers::to_double;

struct decision {
  bool passed = false;
  rules::tier by = rules::tier::f64;
  double ratio = 0;            // error / allowed, where there is a budget
  bool class_differs = false;  // finite where NaN or infinity belongs, or the reverse
  bool unresolved = false;     // nobody looked
};

inline bool undecided(const decision& d) {
  return std::isnan(d.ratio);
}

// The ratio is NaN where this type cannot tell.
template <class T, formats::format_id F>
decision decide_by(const numbers::bounded<T, F>& y, float got, rules::tier by) {
  using E = typename numbers::bounded<T, F>::error_t;
  const E distance = magnitude(T(static_cast<double>(got)) - y.value);
  bool exact = false;
  if constexpr (std::is_same_v<T, numbers::multiprecision>)
    exact = y.value.exact() && y.error.exact();
  // In E, as a double has not the digits for 1 - window.
  const E window(exact ? 0.0 : numbers::decision_window<T, F>());
  const double ratio = to_double(distance) == 0 ? 0.0 : to_double(distance / y.error);
  if (distance <= y.error * (E(1.0) - window)) return {true, by, ratio, false};
  if (distance > y.error * (E(1.0) + window)) return {false, by, ratio, false};
  return {false, by, std::numeric_limits<double>::quiet_NaN(), false};
}

}  // namespace driftgate::tiers
