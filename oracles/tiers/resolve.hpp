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
  // has seen enough failures passes `enumerate` false, and such an output then stays unresolved.
  decision decide(const input_array& x, std::size_t role, float got, bool enumerate = true) const {
    const bounded<double> y = rule_.template evaluate<double>(x, role);
    if (rule_.depends_on_nan(x, role)) {
      return {std::isnan(got), rules::tier::special, infinity, !std::isnan(got)};
    }
    const bool finite_inputs = rule_.all_finite(x, role);
    if (finite_inputs && std::isfinite(y.value) && std::isnan(y.error)) {
      return {false, rules::tier::ill_posed, 0, false};
    }
    if (!finite_inputs || !std::isfinite(y.value) || !(y.reach < safe_range)) {
      return enumerate ? special_.decide(x, role, got)
                       : decision{false, rules::tier::special, 0, false, true};
    }
    if (!std::isfinite(got)) return {false, rules::tier::f64, infinity, true};
    decision d = decide_by(y, got, rules::tier::f64);
    if (undecided(d))
      d = decide_by(rule_.template evaluate<numbers::dd>(x, role), got, rules::tier::double_double);
    if (undecided(d)) d = decide_at(128, x, role, got, rules::tier::mpfr_128);
    if (undecided(d)) d = decide_at(256, x, role, got, rules::tier::mpfr_256);
    if (undecided(d)) d = decide_at(1024, x, role, got, rules::tier::mpfr_1024);
    if (undecided(d)) {
      throw rules::oracle_failure(rule_.about().name + ": 1024 bits do not decide " +
                                  rule_.about().roles[role].name + " = " + std::to_string(got));
    }
    if (d.passed && got == 0 && std::signbit(got) != std::signbit(y.value) &&
        !special_.either_sign(y)) {
      return special_.zero_of_the_other_sign(x, role, got, d);
    }
    return d;
  }

  // error / allowed of an output that has a budget, in double.
  double ratio(const input_array& x, std::size_t role, float got) const {
    const bounded<double> y = rule_.template evaluate<double>(x, role);
    const double distance = std::fabs(got - y.value);
    return distance == 0 ? 0 : distance / y.error;
  }

  // The verdict again at 256 bits, its exact value from the raw formula. Throws where it differs.
  void audit(const input_array& x, std::size_t role, float got, bool passed) const {
    const real::precision_scope scope(256);
    std::array<real, Rule::role_count> exact_inputs;
    for (std::size_t r = 0; r < x.size(); ++r) exact_inputs[r] = real(x[r]);
    const real exact = rule_.exact(exact_inputs)[role];
    // The first form's budget is the smaller one and enough to agree.
    if (passed && magnitude(real(got) - exact) <=
                      rule_.template evaluate<real, rules::first>(x, role).error) {
      return;
    }
    const bounded<real> y = rule_.template evaluate<real>(x, role);
    // The first form's budget passed it; another form's denominator may be zero there.
    if (passed && y.error.is_nan()) return;
    const real distance = magnitude(real(got) - exact);
    const bool within = distance <= y.error;
    // Where the decision hangs on less than 256 bits can tell, either is right.
    const real margin = magnitude(distance - y.error);
    const bool too_close = margin <= y.error * real(0x1p-150) && !y.value.exact();
    if (within != passed && !too_close) {
      throw rules::oracle_failure(
          "audit: " + rule_.about().name + " " + rule_.about().roles[role].name +
          ": the raw formula gives " + exact.to_string() + ", the rule " + y.value.to_string() +
          ", the kernel " + real(got).to_string() + ", allowed " + y.error.to_string());
    }
  }

  rules::verdict_on_element describe(const input_array& x, std::size_t role, float got) const {
    const real::precision_scope scope(256);
    const decision d = decide(x, role, got);
    rules::verdict_on_element v;
    v.got = real(got).to_string(9);
    v.passed = d.passed;
    v.decided_by = d.by;
    v.ratio = d.ratio;
    if (d.by == rules::tier::special) {
      v.exact = "any of {" + special_.words(x, role) + "}";
      v.allowed = "only these";
    } else {
      const bounded<real> y = rule_.template evaluate<real>(x, role);
      v.exact = y.value.to_string(17);
      v.allowed = y.error.to_string(6);
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

  decision decide_at(int bits, const input_array& x, std::size_t role, float got,
                     rules::tier by) const {
    const real::precision_scope scope(bits);
    return decide_by(rule_.template evaluate<real>(x, role), got, by);
  }

  at_step rule_;
  special_rule<Rule> special_;
};

}  // namespace driftgate::tiers
