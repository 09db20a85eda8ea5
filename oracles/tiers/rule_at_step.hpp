// A rule at one step's scalars: evaluates one element in any number type.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "oracles/rules/evaluator.hpp"
#include "oracles/tiers/block.hpp"
#include "oracles/tiers/coefficients.hpp"
#include "oracles/tiers/decision.hpp"

namespace driftgate::tiers {

template <class Rule>
class rule_at_step {
 public:
  static constexpr formats::format_id F = compute_format;
  static constexpr int coefficient_guard_bits = 128;  // 1 - beta^t may cancel 53 of them
  using input_array = std::array<float, Rule::role_count>;
  template <class T>
  using bounded = numbers::bounded<T, F>;
  using real = numbers::multiprecision;

  // `about` is the rule as its kernel's contract has it, and must outlive this.
  rule_at_step(const rules::description& about, std::int64_t step,
               const rules::scalar_values& scalars, const rules::arithmetic& how)
      : about_(about),
        step_(step),
        scalars_(scalars),
        switches_(Rule::switches_of(scalars, how)),
        sources_(sources_of(about)),
        // A contract's ulps are of the result, up to 2 u relative each.
        roundoff_{2 * how.div_ulp * bounded<double>::u, 2 * how.sqrt_ulp * bounded<double>::u} {}

  const rules::description& about() const { return about_; }
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

  // The role, of the description's, that the mathematics takes for its role `r`.
  std::size_t source(std::size_t r) const { return sources_[r]; }

  input_array inputs(const rules::elements& block, std::size_t index) const {
    input_array x{};
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (const float* column = block.before[source(r)]) x[r] = column[index];
    }
    return x;
  }

  // All roles of the step at once, by the raw formula.
  template <class Inputs>
  auto exact(const Inputs& x) const {
    return Rule::exact(step_, scalars_, x);
  }

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

 private:
  bool depends_on(std::size_t role, std::size_t input) const {
    const auto& in = about_.roles[role].inputs;
    const auto& name = about_.roles[source(input)].name;
    const auto& option = about_.roles[source(input)].option;
    const bool takes_part = option.empty() || scalars_.at(option) != 0;
    return takes_part && std::find(in.begin(), in.end(), name) != in.end();
  }
  static std::array<std::size_t, Rule::role_count> sources_of(const rules::description& about) {
    std::array<std::size_t, Rule::role_count> sources;
    for (std::size_t r = 0; r < sources.size(); ++r) {
      const rules::role* source = about.source_of(about.roles[r].name);
      sources[r] = static_cast<std::size_t>(source - about.roles.data());
    }
    return sources;
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
  std::array<std::size_t, Rule::role_count> sources_;
  rules::roundoffs roundoff_;
  mutable std::tuple<cache<bounded<double>>, cache<bounded<numbers::dd>>, cache<bounded<real>>,
                     cache<numbers::ieee<double, F>>, cache<numbers::ieee<real, F>>>
      caches_;
};

}  // namespace driftgate::tiers
