// AdamW elements for the oracles' tests: scalars, columns of elements before and after a step, the
// oracle that judges them, and an honest step in float.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "oracles/rules/adamw.hpp"
#include "oracles/rules/evaluator.hpp"
#include "tests/oracles/draw.hpp"

namespace driftgate::tests {

using rules::adamw;

struct adamw_scalars {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 1e-2;
  std::int64_t step = 1;
  bool amsgrad = false;
  bool maximize = false;

  rules::scalar_values values() const {
    return {{"lr", lr},
            {"beta1", beta1},
            {"beta2", beta2},
            {"eps", eps},
            {"amsgrad", amsgrad},
            {"weight_decay", weight_decay},
            {"maximize", maximize}};
  }
};

// An element's roles, in the rule's order; grad is the same after a step.
struct adamw_element {
  float p = 0, g = 0, m = 0, v = 0, w = 0;
};

// Many elements before and after a step, an array a role.
class adamw_columns {
 public:
  explicit adamw_columns(std::size_t count) : count_(count) {
    for (auto* side : {&before_, &after_}) {
      for (auto& column : *side) column.resize(count);
    }
  }

  std::size_t size() const { return count_; }
  adamw_element before(std::size_t i) const { return get(before_, i); }
  adamw_element after(std::size_t i) const { return get(after_, i); }
  void set_before(std::size_t i, const adamw_element& e) { set(before_, i, e); }
  void set_after(std::size_t i, const adamw_element& e) { set(after_, i, e); }

  rules::elements view(bool amsgrad) const {
    rules::elements all;
    all.count = count_;
    for (std::size_t r = 0; r < adamw::role_count; ++r) {
      if (r == adamw::max_exp_avg_sq && !amsgrad) continue;
      all.before[r] = before_[r].data();
      if (r != adamw::grad) all.after[r] = after_[r].data();
    }
    return all;
  }

 private:
  using columns = std::array<std::vector<float>, adamw::role_count>;

  static adamw_element get(const columns& c, std::size_t i) {
    return {c[0][i], c[1][i], c[2][i], c[3][i], c[4][i]};
  }
  static void set(columns& c, std::size_t i, const adamw_element& e) {
    const float values[] = {e.p, e.g, e.m, e.v, e.w};
    for (std::size_t r = 0; r < c.size(); ++r) c[r][i] = values[r];
  }

  std::size_t count_;
  columns before_, after_;
};

class adamw_oracle {
 public:
  explicit adamw_oracle(const adamw_scalars& scalars, rules::audit* auditor = nullptr,
                        const rules::arithmetic& how = {})
      : amsgrad_(scalars.amsgrad),
        evaluator_(rules::find_rule("adamw")->at(scalars.step, scalars.values(), how, auditor)) {}

  const rules::evaluator& evaluator() const { return *evaluator_; }

  rules::tally judge(const adamw_columns& columns, std::uint64_t first = 0) const {
    rules::tally result;
    evaluator_->judge(columns.view(amsgrad_), first, result);
    return result;
  }

  // One output of one element. `blocks` have been judged before it: the budget's full form is
  // evaluated in the first of every histogram_sampling.
  rules::output_tally judge(const adamw_element& before, std::size_t role, float got,
                            std::uint64_t blocks = 0) const {
    const float inputs[] = {before.p, before.g, before.m, before.v, before.w};
    rules::elements one;
    one.count = 1;
    for (std::size_t r = 0; r < adamw::role_count; ++r) one.before[r] = &inputs[r];
    one.after[role] = &got;
    rules::tally result;
    result[adamw::outputs[0]].blocks = blocks;
    evaluator_->judge(one, 0, result);
    return result[role];
  }

  // The verdict, which must be the same in a full block and in a quick one.
  bool passes(const adamw_element& before, std::size_t role, float got) const {
    const bool in_full = judge(before, role, got, 0).failed == 0;
    const bool in_quick = judge(before, role, got, 1).failed == 0;
    if (in_full != in_quick) throw std::logic_error("the verdict depends on the block");
    return in_full;
  }

  // The exact value of an output, to 100 bits and more.
  numbers::dd exact(const adamw_element& before, std::size_t role) const {
    const float inputs[] = {before.p, before.g, before.m, before.v, before.w};
    rules::elements one;
    one.count = 1;
    for (std::size_t r = 0; r < adamw::role_count; ++r) one.before[r] = &inputs[r];
    numbers::dd result;
    std::array<double*, rules::max_roles> head{}, tail{};
    head[role] = &result.hi;
    tail[role] = &result.lo;
    evaluator_->exact(one, head, tail);
    return result;
  }

 private:
  bool amsgrad_;
  std::unique_ptr<rules::evaluator> evaluator_;
};

// A step's coefficients as a kernel has them: evaluated in double, rounded once.
struct adamw_floats {
  float beta1, one_minus_beta1, beta2, one_minus_beta2;
  float correction1, correction2, root_correction2;
  float inverse_correction1, inverse_correction2, inverse_root_correction2;
  float lr, weight_decay, lr_decay, keep, step_size, paper_step_size, eps, paper_eps;
  bool amsgrad, maximize;

  explicit adamw_floats(const adamw_scalars& s) {
    const auto t = static_cast<double>(s.step);
    const double c1 = 1 - std::pow(s.beta1, t);
    const double c2 = 1 - std::pow(s.beta2, t);
    beta1 = static_cast<float>(s.beta1);
    one_minus_beta1 = static_cast<float>(1 - s.beta1);
    beta2 = static_cast<float>(s.beta2);
    one_minus_beta2 = static_cast<float>(1 - s.beta2);
    correction1 = static_cast<float>(c1);
    correction2 = static_cast<float>(c2);
    root_correction2 = static_cast<float>(std::sqrt(c2));
    inverse_correction1 = static_cast<float>(1 / c1);
    inverse_correction2 = static_cast<float>(1 / c2);
    inverse_root_correction2 = static_cast<float>(1 / std::sqrt(c2));
    lr = static_cast<float>(s.lr);
    weight_decay = static_cast<float>(s.weight_decay);
    lr_decay = static_cast<float>(s.lr * s.weight_decay);
    keep = static_cast<float>(1 - s.lr * s.weight_decay);
    step_size = static_cast<float>(s.lr / c1);
    paper_step_size = static_cast<float>(s.lr / c1 * std::sqrt(c2));
    eps = static_cast<float>(s.eps);
    paper_eps = static_cast<float>(s.eps * std::sqrt(c2));
    amsgrad = s.amsgrad;
    maximize = s.maximize;
  }
};

inline float nan_keeping_max(float a, float b) {
  return a >= b || std::isnan(a) ? a : b;
}

// AdamW in float, one operation after the other; the plainest of the right kernels.
inline adamw_element plain_step(const adamw_floats& c, adamw_element e) {
  const float g = c.maximize ? -e.g : e.g;
  e.m = c.beta1 * e.m + c.one_minus_beta1 * g;
  e.v = c.beta2 * e.v + c.one_minus_beta2 * g * g;
  if (c.amsgrad) e.w = nan_keeping_max(e.w, e.v);
  const float denominator = std::sqrt(c.amsgrad ? e.w : e.v) / c.root_correction2 + c.eps;
  e.p = c.keep * e.p - c.step_size * e.m / denominator;
  return e;
}

// Elements as training has them: a small gradient, v near g^2, |m| up to |g|.
inline adamw_element training_element(draw& random) {
  const double g = random.either(-24, 0);
  adamw_element e;
  e.p = static_cast<float>(random.either(-12, 1));
  e.g = static_cast<float>(g);
  e.m = static_cast<float>(g * random.either(-4, 1));
  e.v = static_cast<float>(g * g * random.positive(-6, 2));
  e.w = static_cast<float>(g * g * random.positive(-6, 2));
  return e;
}

}  // namespace driftgate::tests
