// A rule over scaled_mathematics: its coefficients, its raw formula and its checks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "oracles/rules/evaluator.hpp"
#include "oracles/rules/scalar_roles.hpp"
#include "oracles/tiers/coefficients.hpp"
#include "oracles/tiers/scaled_mathematics.hpp"

namespace driftgate::tiers {

// Rule is a struct as in rules/adamw.cpp.
template <class Rule>
struct scaled_rule : scaled_mathematics<typename Rule::mathematics> {
  using mathematics = scaled_mathematics<typename Rule::mathematics>;
  using typename mathematics::switches;

  static switches switches_of(const rules::scalar_values& s, const rules::arithmetic& how) {
    return {Rule::switches_of(s, how), rules::is_scaled(s)};
  }

  static auto coefficients(std::int64_t t, const rules::scalar_values& s) {
    const auto own = Rule::coefficients(t, s);
    std::array<coefficient, mathematics::coefficient_count> c;
    std::copy(own.begin(), own.end(), c.begin());
    const coefficient one(numbers::multiprecision(1.0));
    c[mathematics::scale] =
        rules::is_scaled(s) ? coefficient(numbers::multiprecision(s.at(rules::grad_scale))) : one;
    c[mathematics::one_over_scale] = quotient(one, c[mathematics::scale]);
    return c;
  }

  template <class Inputs>
  static auto exact(std::int64_t t, const rules::scalar_values& s, Inputs x) {
    if (rules::is_scaled(s)) {
      x[mathematics::grad] =
          x[mathematics::grad] / numbers::multiprecision(s.at(rules::grad_scale));
    }
    return Rule::exact(t, s, x);
  }

  static void check(std::int64_t t, const rules::scalar_values& s) {
    Rule::check(t, s);
    if (!rules::is_scaled(s)) return;
    const double scale = s.at(rules::grad_scale);
    if (!(scale > 0 && std::isfinite(scale))) {
      throw std::invalid_argument("grad_scale must be finite and > 0");
    }
  }
};

}  // namespace driftgate::tiers
