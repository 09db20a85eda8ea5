// One output of one element, decided for good: by double, double-double, MPFR at 128, 256 and 1024
// bits, whichever is the first that can; or by the special-value rule, where the real numbers have
// no answer.
#pragma once

#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "oracles/rules/evaluator.hpp"
#include "oracles/tiers/block.hpp"
#include "oracles/tiers/coefficients.hpp"

namespace driftgate::tiers {

struct decision {
  bool passed = false;
  rules::tier by = rules::tier::f64;
  double ratio = 0;            // error / allowed, where there is a budget
  bool class_differs = false;  // finite where NaN or infinity belongs, or the reverse
};

template <class Rule>
class resolver {
 public:
  static constexpr formats::format_id F = formats::format_id::f32;
  static constexpr int coefficient_guard_bits = 128;  // 1 - beta^t may cancel 53 of them
  using input_array = std::array<float, Rule::role_count>;
  template <class T>
  using bounded = numbers::bounded<T, F>;
  using real = numbers::multiprecision;

  resolver(const rules::description& about, std::int64_t step, const rules::scalar_values& scalars,
           const rules::arithmetic& how)
      : about_(about),
        step_(step),
        scalars_(scalars),
        switches_(Rule::switches_of(scalars, how)),
        // A contract's ulps are of the result, up to 2 u relative each.
        roundoff_{2 * how.div_ulp * bounded<double>::u, 2 * how.sqrt_ulp * bounded<double>::u} {}

  const typename Rule::switches& switches() const { return switches_; }
  const rules::roundoffs& roundoff() const { return roundoff_; }

  // The step's coefficients as numbers of type N, at the precision in force plus guard bits.
  template <class N>
  coefficients_of<Rule, N> coefficients() const {
    const real::precision_scope scope(real::precision() + coefficient_guard_bits);
    const auto exact = Rule::coefficients(step_, scalars_);
    coefficients_of<Rule, N> result;
    for (std::size_t i = 0; i < exact.size(); ++i) result[i] = coefficient_as<N>::make(exact[i]);
    return result;
  }

  static input_array inputs(const rules::elements& block, std::size_t index) {
    input_array x{};
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (block.before[r]) x[r] = block.before[r][index];
    }
    return x;
  }

  // Enumerating the special values of a wrong output costs thousands of evaluations: a caller that
  // has seen enough failures passes `enumerate` false, and such an output then counts as special
  // and passed.
  decision decide(const input_array& x, std::size_t role, float got, bool enumerate = true) const {
    const bounded<double> y = evaluate<double>(x, role);
    if (depends_on_nan(x, role)) {
      return {std::isnan(got), rules::tier::special, infinity, !std::isnan(got)};
    }
    const bool finite_inputs = all_finite(x, role);
    if (finite_inputs && std::isfinite(y.value) && std::isnan(y.error)) {
      return {false, rules::tier::ill_posed, 0, false};
    }
    if (!finite_inputs || !std::isfinite(y.value) || !(y.reach < safe_range)) {
      return enumerate ? special(x, role, got) : decision{true, rules::tier::special, 0, false};
    }
    if (!std::isfinite(got)) return {false, rules::tier::f64, infinity, true};
    decision d = decide_by<double>(y, got, rules::tier::f64);
    if (undecided(d))
      d = decide_by<numbers::dd>(evaluate<numbers::dd>(x, role), got, rules::tier::double_double);
    if (undecided(d)) d = decide_at(128, x, role, got, rules::tier::mpfr_128);
    if (undecided(d)) d = decide_at(256, x, role, got, rules::tier::mpfr_256);
    if (undecided(d)) d = decide_at(1024, x, role, got, rules::tier::mpfr_1024);
    if (undecided(d)) {
      throw rules::oracle_failure(about_.name + ": 1024 bits do not decide " +
                                  about_.roles[role].name + " = " + std::to_string(got));
    }
    if (d.passed && got == 0 && std::signbit(got) != std::signbit(y.value) && !either_sign(y)) {
      return zero_of_the_other_sign(x, role, got, d);
    }
    return d;
  }

  // error / allowed of an output that has a budget, in double.
  double ratio(const input_array& x, std::size_t role, float got) const {
    const bounded<double> y = evaluate<double>(x, role);
    const double distance = std::fabs(got - y.value);
    return distance == 0 ? 0 : distance / y.error;
  }

  // The verdict again at 256 bits, its exact value from the raw formula. Throws where it differs.
  void audit(const input_array& x, std::size_t role, float got, bool passed) const {
    const real::precision_scope scope(256);
    std::array<real, Rule::role_count> exact_inputs;
    for (std::size_t r = 0; r < x.size(); ++r) exact_inputs[r] = real(x[r]);
    const real exact = Rule::exact(step_, scalars_, exact_inputs)[role];
    // The first form's budget is the smaller one and enough to agree.
    if (passed && magnitude(real(got) - exact) <= evaluate<real, rules::first>(x, role).error) {
      return;
    }
    const bounded<real> y = evaluate<real>(x, role);
    // The first form's budget passed it; another form's denominator may be zero there.
    if (passed && y.error.is_nan()) return;
    const real distance = magnitude(real(got) - exact);
    const bool within = distance <= y.error;
    // Where the decision hangs on less than 256 bits can tell, either is right.
    const real margin = magnitude(distance - y.error);
    const bool too_close = margin <= y.error * real(0x1p-150) && !y.value.exact();
    if (within != passed && !too_close) {
      throw rules::oracle_failure("audit: " + about_.name + " " + about_.roles[role].name +
                                  ": the raw formula gives " + exact.to_string() + ", the rule " +
                                  y.value.to_string() + ", the kernel " + real(got).to_string() +
                                  ", allowed " + y.error.to_string());
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
      v.exact = "any of {" + special_values(x, role) + "}";
      v.allowed = "only these";
    } else {
      const bounded<real> y = evaluate<real>(x, role);
      v.exact = y.value.to_string(17);
      v.allowed = y.error.to_string(6);
    }
    return v;
  }

  std::vector<rules::traced_form> trace(const input_array& x) const {
    const real::precision_scope scope(256);
    std::vector<rules::traced_form> lines;
    rules::tracing<bounded<real>> by;
    by.roundoff = roundoff_;
    by.lines = &lines;
    Rule::step(by, switches_, coefficients<bounded<real>>(), numbers_of<bounded<real>>(x));
    return lines;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double safe_range = 0x1.fffffp127;  // nothing has overflowed below: 2 u are left

  static bool undecided(const decision& d) { return std::isnan(d.ratio); }

  template <class N>
  static std::array<N, Rule::role_count> numbers_of(const input_array& x) {
    std::array<N, Rule::role_count> n;
    for (std::size_t r = 0; r < x.size(); ++r) {
      if constexpr (requires { typename N::real_type; }) {
        n[r] = N(x[r]);
      } else {
        n[r] = N(typename N::value_type(static_cast<double>(x[r])));
      }
    }
    return n;
  }

  template <class T, template <class> class Evaluation = rules::widest>
  bounded<T> evaluate(const input_array& x, std::size_t role) const {
    Evaluation<bounded<T>> by;
    by.roundoff = roundoff_;
    return Rule::step(by, switches_, cached<bounded<T>>(), numbers_of<bounded<T>>(x))[role];
  }

  // The ratio is NaN where this type cannot tell.
  template <class T>
  static decision decide_by(const bounded<T>& y, float got, rules::tier by) {
    using E = typename bounded<T>::error_t;
    const E distance = magnitude(T(static_cast<double>(got)) - y.value);
    bool exact = false;
    if constexpr (std::is_same_v<T, real>) exact = y.value.exact() && y.error.exact();
    // In E, as a double has not the digits for 1 - window.
    const E window(exact ? 0.0 : numbers::decision_window<T, F>());
    const double ratio = to_double(distance) == 0 ? 0.0 : to_double(distance / y.error);
    if (distance <= y.error * (E(1.0) - window)) return {true, by, ratio, false};
    if (distance > y.error * (E(1.0) + window)) return {false, by, ratio, false};
    return {false, by, std::numeric_limits<double>::quiet_NaN(), false};
  }

  decision decide_at(int bits, const input_array& x, std::size_t role, float got,
                     rules::tier by) const {
    const real::precision_scope scope(bits);
    return decide_by<real>(evaluate<real>(x, role), got, by);
  }

  // Coefficients are the same for all elements: kept for the number type and precision last asked
  // for.
  template <class N>
  const coefficients_of<Rule, N>& cached() const {
    auto& slot = std::get<cache<N>>(caches_);
    if (!slot.values || slot.bits != real::precision()) {
      slot.values = coefficients<N>();
      slot.bits = real::precision();
    }
    return *slot.values;
  }

  bool depends_on(std::size_t role, std::size_t input) const {
    const auto& in = about_.roles[role].inputs;
    const auto& name = about_.roles[input].name;
    const auto& option = about_.roles[input].option;
    const bool takes_part = option.empty() || scalars_.at(option) != 0;
    return takes_part && std::find(in.begin(), in.end(), name) != in.end();
  }
  bool depends_on_nan(const input_array& x, std::size_t role) const {
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (std::isnan(x[r]) && depends_on(role, r)) return true;
    }
    return false;
  }
  bool all_finite(const input_array& x, std::size_t role) const {
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (!std::isfinite(x[r]) && depends_on(role, r)) return false;
    }
    return true;
  }

  // Calls visit(result) for every admissible way to compute the output, until it returns true.
  template <class T, class Visit>
  bool any_way(const input_array& x, std::size_t role, const Visit& visit) const {
    using N = numbers::ieee<T, F>;
    for (const auto rule : {numbers::overflow_rule::late, numbers::overflow_rule::early,
                            numbers::overflow_rule::never}) {
      N::rule = rule;
      const auto inputs = numbers_of<N>(x);
      rules::path<N> by;
      by.roundoff = roundoff_;
      do {
        if (visit(Rule::step(by, switches_, cached<N>(), inputs)[role])) return true;
      } while (by.next());
    }
    return false;
  }

  template <class T>
  decision special_by(const input_array& x, std::size_t role, float got) const {
    bool open = false;
    bool ill_posed = false;
    bool finite_answer = false;
    const bool passed = any_way<T>(x, role, [&](const numbers::ieee<T, F>& y) {
      if (!std::isfinite(y.machine)) {
        return std::isnan(y.machine) ? std::isnan(got) : got == y.machine;
      }
      finite_answer = true;
      if (y.real.error != y.real.error) {
        ill_posed = true;
        return false;
      }
      if (!std::isfinite(got)) return std::isinf(got) && rounds_to_infinity(y.real, got);
      if (got == 0 && y.machine == 0 && !either_sign(y.real)) {
        return std::signbit(got) == std::signbit(y.machine);
      }
      const decision d = decide_by<T>(y.real, got, rules::tier::special);
      open = open || undecided(d);
      return d.passed;
    });
    if (passed) return {true, rules::tier::special, 0, false};
    if (ill_posed) return {false, rules::tier::ill_posed, 0, false};
    if (open) {
      return {false, rules::tier::special, std::numeric_limits<double>::quiet_NaN(), false};
    }
    return {false, rules::tier::special, infinity, std::isfinite(got) != finite_answer};
  }

  // Whether rounding the result itself may give the infinity `got`.
  template <class T>
  static bool rounds_to_infinity(const bounded<T>& y, float got) {
    const double size = to_double(magnitude(y.value));
    return size + to_double(y.error) >= numbers::overflow_threshold &&
           std::signbit(got) == is_negative(y.value);
  }

  // The commonest case of overflow_rule::never, without trying all ways: the inputs are finite and
  // the output is the exact result within the widest budget.
  bool without_overflow(const input_array& x, std::size_t role, float got) const {
    const bounded<double> y = evaluate<double>(x, role);
    if (!all_finite(x, role) || !std::isfinite(y.value) || !std::isfinite(y.error)) return false;
    if (std::isnan(got) || (got == 0 && std::signbit(got) != std::signbit(y.value))) return false;
    return std::isinf(got) ? rounds_to_infinity(y, got)
                           : decide_by<double>(y, got, rules::tier::special).passed;
  }

  decision special(const input_array& x, std::size_t role, float got) const {
    if (without_overflow(x, role, got)) return {true, rules::tier::special, 0, false};
    decision d = special_by<double>(x, role, got);
    if (undecided(d)) {
      const real::precision_scope scope(1024);
      d = special_by<real>(x, role, got);
    }
    if (undecided(d)) {
      throw rules::oracle_failure(about_.name + ": 1024 bits do not decide a special value of " +
                                  about_.roles[role].name);
    }
    return d;
  }

  // Whether results of both signs are within the budget: where they underflow, so do zeros.
  template <class T>
  static bool either_sign(const bounded<T>& y) {
    return y.error > magnitude(y.value);
  }

  // got is a zero within its budget, of another sign than the exact value. That is wrong only where
  // every admissible form yields a zero of the same sign.
  decision zero_of_the_other_sign(const input_array& x, std::size_t role, float got,
                                  const decision& within) const {
    const bool open = any_way<double>(x, role, [&](const numbers::ieee<double, F>& y) {
      return y.machine != 0 || std::signbit(y.machine) == std::signbit(got);
    });
    return open ? within : decision{false, rules::tier::special, infinity, false};
  }

  // What may be returned, in words: at most four values.
  std::string special_values(const input_array& x, std::size_t role) const {
    if (depends_on_nan(x, role)) return "nan";
    std::set<std::string> seen;
    any_way<double>(x, role, [&](const numbers::ieee<double, F>& y) {
      seen.insert(std::isnan(y.machine) ? "nan" : real(y.machine).to_string(9));
      return seen.size() == 4;
    });
    std::string text;
    for (const auto& value : seen) text += (text.empty() ? "" : ", ") + value;
    return text;
  }

  template <class N>
  struct cache {
    std::optional<coefficients_of<Rule, N>> values;
    int bits = 0;
  };

  const rules::description& about_;
  std::int64_t step_;
  rules::scalar_values scalars_;
  typename Rule::switches switches_;
  rules::roundoffs roundoff_;
  mutable std::tuple<cache<bounded<double>>, cache<bounded<numbers::dd>>, cache<bounded<real>>,
                     cache<numbers::ieee<double, F>>, cache<numbers::ieee<real, F>>>
      caches_;
};

}  // namespace driftgate::tiers
