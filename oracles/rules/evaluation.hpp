// The ways to evaluate a rule's text. A rule is a template over its number type and over an
// evaluation, which decides what becomes of a stage that has several admissible forms and of a
// product that may be fused into a sum:
//   widest   every form; the first one's value with the largest budget (number type `bounded`)
//   first    the first form alone, whose budget is at most the widest: enough to pass, not to fail
//   path     one admissible way through all forms and fusions, all ways in turn (type `ieee`)
//   tracing  as widest, and writes down what it sees
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "oracles/numbers/bounded.hpp"
#include "oracles/numbers/ieee.hpp"

namespace driftgate::rules {

// One way to compute a stage. Whether it is admissible may hang on the step's scalars; the first
// form of a stage always is.
template <class Evaluate>
struct form {
  const char* text;
  Evaluate evaluate;
  bool admissible = true;
};
template <class Evaluate>
form(const char*, Evaluate) -> form<Evaluate>;
template <class Evaluate>
form(const char*, Evaluate, bool) -> form<Evaluate>;

// The relative error of a division and of a square root: u, unless the contract says more.
struct roundoffs {
  double divide;
  double square_root;
};

template <class N>
struct first {
  using number = N;
  roundoffs roundoff;

  N divide(const N& a, const N& b) const { return numbers::divide(a, b, roundoff.divide); }
  N square_root(const N& a) const { return numbers::square_root_at_least(a, roundoff.square_root); }
  N maximum(const N& a, const N& b) const { return numbers::maximum(a, b); }
  // a b + c: two roundings allow all that one does.
  N multiply_add(const N& a, const N& b, const N& c) const { return a * b + c; }
  // a b + c d, either product of which may be fused.
  N sum_of_products(const N& a, const N& b, const N& c, const N& d) const { return a * b + c * d; }
  // x - beta x with one rounding, for a beta that the format holds: then (1 - beta) x, rounded.
  N complement(const N&, const N& one_minus_beta, const N& x) const { return one_minus_beta * x; }
  template <class First, class... Rest>
  N stage(const char*, const First& form, const Rest&...) const {
    return form.evaluate();
  }
  // What no first form uses is not evaluated.
  template <class Evaluate>
  N for_other_forms(const Evaluate&) const {
    return {};
  }
};

template <class N>
struct widest : first<N> {
  N square_root(const N& a) const { return numbers::square_root(a, this->roundoff.square_root); }
  template <class First, class... Rest>
  N stage(const char*, const First& form, const Rest&... rest) const {
    N result = form.evaluate();
    const auto widen = [&result](const auto& other) {
      if (other.admissible) result = numbers::wider(result, N(other.evaluate()));
    };
    (widen(rest), ...);
    return result;
  }
  template <class Evaluate>
  N for_other_forms(const Evaluate& evaluate) const {
    return evaluate();
  }
};

template <class N>
struct path {
  using number = N;
  roundoffs roundoff;

  // Moves on to the next way; false when all have been tried.
  bool next() {
    while (!digits_.empty() && digits_.back().taken + 1 == digits_.back().choices) {
      digits_.pop_back();
    }
    if (digits_.empty()) return false;
    ++digits_.back().taken;
    position_ = 0;
    return true;
  }

  N divide(const N& a, const N& b) const { return numbers::divide(a, b, roundoff.divide); }
  N square_root(const N& a) const { return numbers::square_root(a, roundoff.square_root); }
  // max(+0, -0) may be either zero.
  N maximum(const N& a, const N& b) {
    const bool zeros = a.machine == 0 && b.machine == 0;
    return zeros && choose(2) == 1 ? numbers::maximum(b, a) : numbers::maximum(a, b);
  }
  N multiply_add(const N& a, const N& b, const N& c) {
    return choose(2) == 0 ? a * b + c : numbers::fused(a, b, c);
  }
  N sum_of_products(const N& a, const N& b, const N& c, const N& d) {
    switch (choose(3)) {
      case 0:
        return a * b + c * d;
      case 1:
        return numbers::fused(a, b, c * d);
      default:
        return numbers::fused(c, d, a * b);
    }
  }
  N complement(const N& beta, const N& one_minus_beta, const N& x) const {
    return numbers::complement(beta, one_minus_beta, x);
  }
  template <class Evaluate>
  N for_other_forms(const Evaluate& evaluate) {
    return evaluate();
  }
  // All ways through all forms, of which those of one kind go on as one: a stage then has one way,
  // or two or three where something is infinite, instead of every product of the stages before it.
  template <class... Forms>
  N stage(const char*, const Forms&... forms) {
    std::vector<N> outcomes;
    (collect(forms, outcomes), ...);
    return outcomes[choose(outcomes.size())];
  }

 private:
  struct digit {
    std::size_t taken;
    std::size_t choices;
  };

  std::size_t choose(std::size_t choices) {
    if (position_ == digits_.size()) digits_.push_back({0, choices});
    return digits_[position_++].taken;
  }

  template <class Form>
  void collect(const Form& form, std::vector<N>& outcomes) {
    if (!form.admissible) return;
    const std::vector<digit> outer_digits = std::exchange(digits_, {});
    const std::size_t outer_position = std::exchange(position_, 0);
    do {
      add(form.evaluate(), outcomes);
    } while (next());
    digits_ = outer_digits;
    position_ = outer_position;
  }

  // Of one kind are NaNs, and numbers of one sign that are all zero, all infinite or all neither.
  // Finite ones approximate the same real number: as in `widest`, the first value stands, with the
  // largest budget.
  static void add(const N& outcome, std::vector<N>& outcomes) {
    for (N& known : outcomes) {
      if (!alike(known.machine, outcome.machine)) continue;
      if (std::isfinite(known.machine)) known.real = numbers::wider(known.real, outcome.real);
      return;
    }
    outcomes.push_back(outcome);
  }
  static bool alike(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::signbit(a) == std::signbit(b) && std::isinf(a) == std::isinf(b) &&
           (a == 0) == (b == 0);
  }

  std::vector<digit> digits_;
  std::size_t position_ = 0;
};

struct traced_form {
  std::string stage;
  std::string text;
  std::string value;
  double error = 0;
  double unit_in_last_place = 0;  // of the compute format at that value
  bool admissible = true;         // at the step's scalars
};

template <class N>
struct tracing : widest<N> {
  std::vector<traced_form>* lines = nullptr;

  template <class First, class... Rest>
  N stage(const char* name, const First& form, const Rest&... rest) const {
    N result = note(name, form);
    const auto widen = [&](const auto& other) {
      const N outcome = note(name, other);
      if (other.admissible) result = numbers::wider(result, outcome);
    };
    (widen(rest), ...);
    return result;
  }

 private:
  template <class Form>
  N note(const char* name, const Form& noted) const {
    N result = noted.evaluate();
    lines->push_back({name, noted.text, result.value.to_string(17), to_double(result.error),
                      formats::ulp(N::format, to_double(magnitude(result.value))),
                      noted.admissible});
    return result;
  }
};

}  // namespace driftgate::rules
