// Special values: where the real numbers have no answer, what some admissible form of the rule
// gives in IEEE arithmetic passes, and nothing else.
#pragma once

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "oracles/tiers/decision.hpp"
#include "oracles/tiers/rule_at_step.hpp"

namespace driftgate::tiers {

template <class Rule>
class special_rule {
 public:
  using at_step = rule_at_step<Rule>;
  using input_array = typename at_step::input_array;
  template <class T>
  using bounded = typename at_step::template bounded<T>;
  template <class T>
  using ieee = numbers::ieee<T, at_step::F>;
  using real = numbers::multiprecision;

  // `rule` must outlive it.
  explicit special_rule(const at_step& rule) : rule_(rule) {}

  decision decide(const input_array& x, std::size_t role, const stored_value& s) const {
    if (without_overflow(x, role, s)) return {true, rules::tier::special, 0, false};
    decision d = special_by<double>(x, role, s);
    if (undecided(d)) {
      const real::precision_scope scope(1024);
      d = special_by<real>(x, role, s);
    }
    if (undecided(d)) {
      throw rules::oracle_failure(rule_.about().name +
                                  ": 1024 bits do not decide a special value of " +
                                  rule_.about().roles[role].name);
    }
    return d;
  }

  // Whether results of both signs are within the budget: where they underflow, so do zeros.
  template <class T>
  static bool either_sign(const bounded<T>& y) {
    return y.error > magnitude(y.value);
  }

  // What was stored is a zero within its budget, of another sign than the exact value. That is
  // wrong only where every admissible form yields a zero of the same sign. A narrower format's zero
  // may come from a number that is none, whose sign it keeps.
  decision zero_of_the_other_sign(const input_array& x, std::size_t role, const stored_value& s,
                                  const decision& within) const {
    const bool open = any_way<double>(x, role, [&](const ieee<double>& y) {
      const bool none = y.machine != 0 && (!s.narrow() || either_sign(y.real));
      return none || std::signbit(y.machine) == std::signbit(s.got);
    });
    return open ? within : decision{false, rules::tier::special, infinity, false};
  }

  // What may be returned in this format, in words: at most four values.
  std::string words(const input_array& x, std::size_t role, formats::format_id format) const {
    if (rule_.depends_on_nan(x, role)) return "nan";
    std::set<std::string> seen;
    any_way<double>(x, role, [&](const ieee<double>& y) {
      seen.insert(std::isnan(y.machine) ? "nan"
                                        : real(formats::round(format, y.machine)).to_string(9));
      return seen.size() == 4;
    });
    std::string text;
    for (const auto& value : seen) text += (text.empty() ? "" : ", ") + value;
    return text;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // Calls visit(result) for every admissible way to compute the output, until it returns true.
  template <class T, class Visit>
  bool any_way(const input_array& x, std::size_t role, const Visit& visit) const {
    using N = ieee<T>;
    for (const auto rule : {numbers::overflow_rule::late, numbers::overflow_rule::early,
                            numbers::overflow_rule::never}) {
      N::rule = rule;
      const auto inputs = at_step::template numbers_of<N>(x);
      rules::path<N> by;
      by.roundoff = rule_.roundoff();
      do {
        if (visit(Rule::step(by, rule_.switches(), rule_.template cached<N>(), inputs)[role]))
          return true;
      } while (by.next());
    }
    return false;
  }

  template <class T>
  decision special_by(const input_array& x, std::size_t role, const stored_value& s) const {
    const float got = s.got;
    bool open = false;
    bool ill_posed = false;
    bool finite_answer = false;
    const bool passed = any_way<T>(x, role, [&](const ieee<T>& y) {
      if (!std::isfinite(y.machine)) {
        return std::isnan(y.machine) ? std::isnan(got) : got == y.machine;
      }
      finite_answer = finite_answer || std::isfinite(formats::round(s.format, y.machine));
      if (y.real.error != y.real.error) {
        ill_posed = true;
        return false;
      }
      if (std::isnan(got)) return false;
      if (std::isinf(got) && !s.narrow()) return rounds_to_infinity(y.real, got);
      if (got == 0 && !either_sign(y.real)) {
        const bool same_sign = std::signbit(got) == std::signbit(y.machine);
        if (s.narrow() ? !same_sign : y.machine == 0) return same_sign;
      }
      const decision d = decide_by(y.real, s, rules::tier::special);
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
  bool without_overflow(const input_array& x, std::size_t role, const stored_value& s) const {
    const float got = s.got;
    const bounded<double> y = rule_.template evaluate<double>(x, role);
    if (!rule_.all_finite(x, role) || !std::isfinite(y.value) || !std::isfinite(y.error))
      return false;
    if (std::isnan(got) || (got == 0 && std::signbit(got) != std::signbit(y.value))) return false;
    return std::isinf(got) && !s.narrow() ? rounds_to_infinity(y, got)
                                          : decide_by(y, s, rules::tier::special).passed;
  }

  const at_step& rule_;
};

}  // namespace driftgate::tiers
