// One output of one element, decided for good: by double, double-double, MPFR at 128, 256 and 1024
// bits, whichever is the first that can; or by the special-value rule, where the real numbers have
// no answer.
#pragma once

#include <cmath>
#include <string>

#include "oracles/tiers/special.hpp"

namespace driftgate::tiers {

template <class Rule>
class resolver {
 public:
  using at_step = rule_at_step<Rule>;
  using input_array = typename at_step::input_array;
  template <class T>
  using bounded = typename at_step::template bounded<T>;
  using real = numbers::multiprecision;

  resolver(const rules::description& about, std::int64_t step, const rules::scalar_values& scalars,
           const rules::arithmetic& how)
      : rule_(about, step, scalars, how), special_(rule_) {}
  resolver(const resolver&) = delete;  // special_ refers to rule_

  const at_step& rule() const { return rule_; }

  // Enumerating the special values of a wrong output costs thousands of evaluations: a caller that
  // has seen enough failures passes `enumerate` false, and such an output then stays
  // unresolved.
  decision decide(const input_array& x, std::size_t role, const stored_value& s,
                  bool enumerate = true) const {
    const float got = s.got;
    const bounded<double> y = rule_.template evaluate<double>(x, role);
    if (rule_.depends_on_nan(x, role)) {
      return {std::isnan(got), rules::tier::special, infinity, !std::isnan(got)};
    }
    const bool finite_inputs = rule_.all_finite(x, role);
    if (finite_inputs && std::isfinite(y.value) && std::isnan(y.error)) {
      return {false, rules::tier::ill_posed, 0, false};
    }
    if (!finite_inputs || !std::isfinite(y.value) || !(y.reach < safe_range)) {
      return enumerate ? special_.decide(x, role, s)
                       : decision{false, rules::tier::special, 0, false, true};
    }
    // A narrower format may overflow where the computation does not.
    if (std::isnan(got) || (std::isinf(got) && !s.narrow())) {
      return {false, rules::tier::f64, infinity, true};
    }
    decision d = decide_by(y, s, rules::tier::f64);
    if (undecided(d))
      d = decide_by(rule_.template evaluate<numbers::dd>(x, role), s, rules::tier::double_double);
    if (undecided(d)) d = decide_at(128, x, role, s, rules::tier::mpfr_128);
    if (undecided(d)) d = decide_at(256, x, role, s, rules::tier::mpfr_256);
    if (undecided(d)) d = decide_at(1024, x, role, s, rules::tier::mpfr_1024);
    if (undecided(d)) {
      throw rules::oracle_failure(rule_.about().name + ": 1024 bits do not decide " +
                                  rule_.about().roles[role].name + " = " + std::to_string(got));
    }
    if (d.passed && got == 0 && std::signbit(got) != std::signbit(y.value) &&
        !special_.either_sign(y)) {
      return special_.zero_of_the_other_sign(x, role, s, d);
    }
    d.class_differs = !d.passed && std::isinf(got) != std::isinf(formats::round(s.format, y.value));
    return d;
  }

  // error / allowed of an output that has a budget, in double.
  double ratio(const input_array& x, std::size_t role, const stored_value& s) const {
    const bounded<double> y = rule_.template evaluate<double>(x, role);
    const double distance = distance_from<double>(s, y.value);
    return distance <= 0 ? 0 : distance / y.error;
  }

  // The verdict again at 256 bits, its exact value from the raw formula and its rounding to a
  // narrower format by MPFR. Throws where it differs.
  void audit(const input_array& x, std::size_t role, const stored_value& s, bool passed) const {
    const real::precision_scope scope(256);
    std::array<real, Rule::role_count> exact_inputs;
    for (std::size_t r = 0; r < x.size(); ++r) exact_inputs[r] = real(x[r]);
    const real exact = rule_.exact(exact_inputs)[role];
    // The first form's budget is the smaller one and enough to agree.
    if (passed && within(s, exact, rule_.template evaluate<real, rules::first>(x, role).error)) {
      return;
    }
    const bounded<real> y = rule_.template evaluate<real>(x, role);
    // The first form's budget passed it; another form's denominator may be zero there.
    if (passed && y.error.is_nan()) return;
    // Where the decision hangs on less than 256 bits can tell, either is right.
    const real margin = y.error * real(0x1p-150);
    const bool narrowly = within(s, exact, y.error - margin);
    const bool widely = within(s, exact, y.error + margin);
    const bool too_close = narrowly != widely && !y.value.exact();
    if (within(s, exact, y.error) != passed && !too_close) {
      throw rules::oracle_failure(
          "audit: " + rule_.about().name + " " + rule_.about().roles[role].name +
          ": the raw formula gives " + exact.to_string() + ", the rule " + y.value.to_string() +
          ", the kernel " + real(s.got).to_string() + ", allowed " + y.error.to_string());
    }
  }

  rules::verdict_on_element describe(const input_array& x, std::size_t role,
                                     const stored_value& s) const {
    const real::precision_scope scope(256);
    const decision d = decide(x, role, s);
    rules::verdict_on_element v;
    v.got = real(s.got).to_string(9);
    v.passed = d.passed;
    v.decided_by = d.by;
    v.ratio = d.ratio;
    if (d.by == rules::tier::special) {
      v.exact = "any of {" + special_.words(x, role, s.format) + "}";
      v.allowed = "only these";
    } else {
      const bounded<real> y = rule_.template evaluate<real>(x, role);
      v.exact = y.value.to_string(17);
      v.allowed = y.error.to_string(6);
      if (s.narrow()) {
        v.least = rounded_to(s.format, y.value - y.error).to_string(9);
        v.greatest = rounded_to(s.format, y.value + y.error).to_string(9);
      }
    }
    return v;
  }

  std::vector<rules::traced_form> trace(const input_array& x) const {
    const real::precision_scope scope(256);
    std::vector<rules::traced_form> lines;
    rules::tracing<bounded<real>> by;
    by.roundoff = rule_.roundoff();
    by.lines = &lines;
    Rule::step(by, rule_.switches(), rule_.template coefficients<bounded<real>>(),
               at_step::template numbers_of<bounded<real>>(x));
    return lines;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double safe_range = 0x1.fffffp127;  // nothing has overflowed below: 2 u are left

  decision decide_at(int bits, const input_array& x, std::size_t role, const stored_value& s,
                     rules::tier by) const {
    const real::precision_scope scope(bits);
    return decide_by(rule_.template evaluate<real>(x, role), s, by);
  }

  static real rounded_to(formats::format_id format, const real& value) {
    const formats::format_traits t = formats::traits(format);
    return value.rounded(t.precision, t.emin, t.emax);
  }
  // Whether a value that may be stored as `s` is within `error` of the exact one.
  static bool within(const stored_value& s, const real& exact, const real& error) {
    if (!s.narrow()) return magnitude(real(s.got) - exact) <= error;
    const real got(s.got);
    return rounded_to(s.format, exact - error) <= got && got <= rounded_to(s.format, exact + error);
  }

  at_step rule_;
  special_rule<Rule> special_;
};

}  // namespace driftgate::tiers
