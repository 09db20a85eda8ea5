// What has been decided of one output, and the decision by a value and its budget.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "oracles/formats/format.hpp"
#include "oracles/numbers/bounded.hpp"
#include "oracles/numbers/multiprecision.hpp"
#include "oracles/rules/evaluator.hpp"

namespace driftgate::tiers {

// Found by name for double too, which has no namespace to look in.
using numbers::head_of;
using numbers::larger;
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

// The least ratio of an output that fails.
inline constexpr double beyond_the_budget = 1 + std::numeric_limits<double>::epsilon();

// The format that outputs are computed in; its last rounding is part of the budget.
inline constexpr formats::format_id compute_format = formats::format_id::f32;

// What a kernel stored, and the results of the computation that are stored so: in the compute
// format that number alone, in a narrower one all that round to it.
struct stored_value {
  float got;
  formats::format_id format;
  formats::rounding_interval from;

  stored_value(float value, formats::format_id stored_in = compute_format)  // NOLINT: mostly plain
      : got(value),
        format(stored_in),
        from(narrow() ? formats::rounds_to(format, got)
                      : formats::rounding_interval{got, got, true}) {}
  bool narrow() const { return format != compute_format; }
};

// How far a value is from the results that are stored as `s`; negative inside.
template <class E, class T>
E distance_from(const stored_value& s, const T& value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto under = [&] { return E(head_of(T(s.from.below) - value)); };
  const auto over = [&] { return E(head_of(value - T(s.from.above))); };
  // Nothing is beyond an end at infinity, and a dd could not subtract it.
  if (s.from.above == infinity) return under();
  if (s.from.below == -infinity) return over();
  return larger(under(), over());
}

// An output passes if some value of the interval exact -+ budget is stored as what was got. The
// ratio is NaN where this type cannot tell.
template <class T, formats::format_id F>
decision decide_by(const numbers::bounded<T, F>& y, const stored_value& s, rules::tier by) {
  using E = typename numbers::bounded<T, F>::error_t;
  const E distance = distance_from<E>(s, y.value);
  bool exact = false;
  if constexpr (std::is_same_v<T, numbers::multiprecision>)
    exact = y.value.exact() && y.error.exact();
  // In E, as a double has not the digits for 1 - window.
  const E window(exact ? 0.0 : numbers::decision_window<T, F>());
  const double ratio = to_double(distance) <= 0 ? 0.0 : to_double(distance / y.error);
  const E surely = y.error * (E(1.0) - window);
  const E possibly = y.error * (E(1.0) + window);
  // The end of an interval that is not stored so is out of reach, even at a distance of the budget.
  if (distance < surely || (s.from.closed && distance <= surely)) return {true, by, ratio, false};
  if (distance > possibly || (!s.from.closed && distance >= possibly)) {
    // Nothing is allowed, and the exact value itself is not stored so.
    if (to_double(distance) <= 0)
      return {false, by, std::numeric_limits<double>::infinity(), false};
    return {false, by, std::fmax(ratio, beyond_the_budget), false};
  }
  return {false, by, std::numeric_limits<double>::quiet_NaN(), false};
}

}  // namespace driftgate::tiers
