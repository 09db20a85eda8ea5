// The oracle of an elementwise rule, made from the rule's text.
//
// Every output is first decided by the vectorised double tier. What it cannot pass at sight - too
// near the budget, beyond the range of the format, a zero of the other sign, or plainly wrong -
// goes element by element through resolve.hpp. Rule is a struct as in rules/adamw.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "oracles/rules/evaluator.hpp"
#include "oracles/tiers/block.hpp"
#include "oracles/tiers/coefficients.hpp"
#include "oracles/tiers/resolve.hpp"

namespace driftgate::tiers {

// The largest value of `reach` at which nothing can have overflowed: the last rounding adds under 2
// u.
inline constexpr double safe_reach = 0x1.fffffp127;

// Failures of an output after which special values are no longer enumerated.
inline constexpr std::uint64_t enough_failures = 16;

template <class Rule>
class elementwise_evaluator : public rules::evaluator {
 public:
  elementwise_evaluator(const rules::description& about, std::int64_t step,
                        const rules::scalar_values& scalars, const rules::arithmetic& how,
                        rules::audit* auditor)
      : resolver_(about, step, scalars, how),
        auditor_(auditor),
        coefficients_(resolver_.template coefficients<f64_pack>()) {}

  void judge(const rules::elements& all, std::uint64_t first, rules::tally& into) const override {
    scratch s;
    for (std::size_t start = 0; start < all.count; start += block_size) {
      const rules::elements block = part(all, start, std::min(block_size, all.count - start));
      const bool full = into[Rule::outputs[0]].blocks++ % rules::histogram_sampling == 0;
      if (full) {
        enclose_block<full_block<mathematics>>(block, coefficients_, s);
      } else {
        enclose_block<quick_block<mathematics>>(block, coefficients_, s);
      }
      for (std::size_t k = 0; k < Rule::outputs.size(); ++k) {
        const std::size_t role = Rule::outputs[k];
        if (all.after[role] == nullptr) continue;
        judge_output(block, role, s.value[k], s.error[k], full ? s.reach[k] : nullptr,
                     first + start, into[role]);
      }
    }
  }

  void exact(const rules::elements& all, std::array<double*, rules::max_roles> head,
             std::array<double*, rules::max_roles> tail) const override {
    scratch s;
    const auto dd_coefficients = resolver_.template coefficients<dd_pack>();
    for (std::size_t start = 0; start < all.count; start += block_size) {
      const std::size_t n = std::min(block_size, all.count - start);
      enclose_block<dd_block<mathematics>>(part(all, start, n), dd_coefficients, s);
      for (std::size_t k = 0; k < Rule::outputs.size(); ++k) {
        const std::size_t role = Rule::outputs[k];
        if (head[role]) std::copy_n(s.value[k], n, head[role] + start);
        if (tail[role]) std::copy_n(s.tail[k], n, tail[role] + start);
      }
    }
  }

  void enclose(const rules::elements& all, std::array<double*, rules::max_roles> value,
               std::array<double*, rules::max_roles> error) const override {
    scratch s;
    for (std::size_t start = 0; start < all.count; start += block_size) {
      const std::size_t n = std::min(block_size, all.count - start);
      enclose_block<full_block<mathematics>>(part(all, start, n), coefficients_, s);
      for (std::size_t k = 0; k < Rule::outputs.size(); ++k) {
        const std::size_t role = Rule::outputs[k];
        if (value[role]) std::copy_n(s.value[k], n, value[role] + start);
        if (error[role]) std::copy_n(s.error[k], n, error[role] + start);
      }
    }
  }

  rules::verdict_on_element describe(const rules::elements& block, std::size_t index,
                                     std::size_t role) const override {
    return resolver_.describe(resolver_.inputs(block, index), role, block.after[role][index]);
  }

  std::vector<rules::traced_form> trace(const rules::elements& block,
                                        std::size_t index) const override {
    return resolver_.trace(resolver_.inputs(block, index));
  }

 private:
  using mathematics = typename Rule::mathematics;

  struct scratch {
    double value[Rule::outputs.size()][block_size];
    double tail[Rule::outputs.size()][block_size];
    double error[Rule::outputs.size()][block_size];
    double reach[Rule::outputs.size()][block_size];
  };

  static rules::elements part(const rules::elements& all, std::size_t start, std::size_t count) {
    rules::elements block = all;
    block.count = count;
    for (auto& p : block.before) p = p ? p + start : nullptr;
    for (auto& p : block.after) p = p ? p + start : nullptr;
    return block;
  }

  template <class Block, class Coefficients>
  void enclose_block(const rules::elements& block, const Coefficients& c, scratch& s) const {
    static constexpr float absent[block_size] = {};
    const bool full = std::is_same_v<Block, full_block<mathematics>>;
    float padded[Rule::role_count][block_size];
    Block view{
        resolver_.switches(),    c, resolver_.roundoff(), block.count, {}, s.value, s.error, s.tail,
        full ? s.reach : nullptr};
    for (std::size_t r = 0; r < Rule::role_count; ++r) {
      view.before[r] = block.before[r] ? block.before[r] : absent;
      if (block.before[r] && block.count % numbers::pack::lanes != 0) {
        std::copy_n(block.before[r], block.count, padded[r]);
        std::fill(padded[r] + block.count, padded[r] + block_size, 0.0F);
        view.before[r] = padded[r];
      }
    }
    enclose_here(view);
  }

  // A full block (`reach` is there) has the budget itself; a quick one the first form's, which is
  // at most that: it may pass, and has its ratio taken only where that may be the largest.
  void judge_output(const rules::elements& block, std::size_t role, const double* value,
                    const double* error, const double* reach, std::uint64_t first,
                    rules::output_tally& into) const {
    unsigned char passed[block_size];
    const float* got = block.after[role];
    const double shrink = 1 - numbers::decision_window<double, f64_pack::format>();
    const double largest = std::numeric_limits<float>::max();
    const double ratio_so_far = into.worst.ratio;
    unsigned failed = 0;
    unsigned notable = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      const double distance = std::fabs(got[i] - value[i]);
      const bool within = (distance <= error[i] * shrink) & (error[i] <= largest);
      const bool signs = (got[i] != 0) | (std::signbit(got[i]) == std::signbit(value[i]));
      passed[i] = within & signs;
      failed |= !passed[i];
      notable |= distance > error[i] * ratio_so_far;
    }
    into.judged += block.count;
    if (reach) {
      for (std::size_t i = 0; i < block.count; ++i) {
        passed[i] = passed[i] & (reach[i] < safe_reach);
        failed |= !passed[i];
        if (!passed[i]) continue;
        const double distance = std::fabs(got[i] - value[i]);
        const double ratio = distance > 0 ? distance / error[i] : 0;
        ++into.histogram[static_cast<std::size_t>(ratio * rules::histogram_bins)];
        note_worst(ratio, first + i, into);
      }
    } else if (notable) {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (!passed[i] || !(std::fabs(got[i] - value[i]) > error[i] * into.worst.ratio)) continue;
        note_worst(resolver_.ratio(resolver_.inputs(block, i), role, got[i]), first + i, into);
      }
    }
    if (!failed) {
      into.tiers[std::size_t(rules::tier::f64)] += block.count;
    } else {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (passed[i]) {
          ++into.tiers[std::size_t(rules::tier::f64)];
        } else {
          resolve(block, i, role, first + i, reach != nullptr, into);
        }
      }
    }
    if (auditor_) audit_some(block, role, passed, first, into);
  }

  static void note_worst(double ratio, std::uint64_t index, rules::output_tally& into) {
    if (ratio > into.worst.ratio) into.worst = {ratio, index};
  }

  void resolve(const rules::elements& block, std::size_t i, std::size_t role, std::uint64_t index,
               bool counted, rules::output_tally& into) const {
    const float got = block.after[role][i];
    const bool enumerate = into.failed < enough_failures;
    const decision d = resolver_.decide(resolver_.inputs(block, i), role, got, enumerate);
    ++into.tiers[std::size_t(d.by)];
    if (d.by == rules::tier::ill_posed) return;
    if (d.by != rules::tier::special) {
      const double bin = std::min(d.ratio * rules::histogram_bins, 1.0 * rules::histogram_bins);
      if (counted) ++into.histogram[static_cast<std::size_t>(bin)];
      note_worst(d.ratio, index, into);
    }
    if (d.passed) return;
    if (into.failed++ == 0) into.first_failure = index;
    note_worst(d.ratio, index, into);
    into.nan_mismatches += d.class_differs;
    const float* old = block.before[role];
    into.unwritten +=
        old && std::bit_cast<std::uint32_t>(old[i]) == std::bit_cast<std::uint32_t>(got);
  }

  // A random 1 in 1024 of what was decided by budget, again by the raw formula.
  void audit_some(const rules::elements& block, std::size_t role, const unsigned char* passed,
                  std::uint64_t first, rules::output_tally& into) const {
    for (std::size_t i = 0; i < block.count; ++i) {
      std::uint64_t h = (first + i) * 0x9e3779b97f4a7c15u + auditor_->seed + role;
      h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9u;
      if ((h >> 54) != 0 || auditor_->remaining == 0) continue;
      const float got = block.after[role][i];
      const auto x = resolver_.inputs(block, i);
      decision d{true, rules::tier::f64, 0, false};
      if (!passed[i]) d = resolver_.decide(x, role, got);
      if (d.by == rules::tier::special || d.by == rules::tier::ill_posed) continue;
      --auditor_->remaining;
      ++into.audited;
      resolver_.audit(x, role, got, d.passed);
    }
  }

  resolver<Rule> resolver_;
  rules::audit* auditor_;
  coefficients_of<Rule, f64_pack> coefficients_;
};

template <class Rule>
class elementwise_rule : public rules::rule {
 public:
  const rules::description& about() const override {
    static const rules::description about = Rule::about();
    return about;
  }
  std::unique_ptr<rules::evaluator> at(std::int64_t step, const rules::scalar_values& scalars,
                                       const rules::arithmetic& how,
                                       rules::audit* auditor) const override {
    if (how.compute != formats::format_id::f32) {
      throw std::invalid_argument(about().name + ": only compute=f32 can be verified so far");
    }
    rules::scalar_values exact = scalars;
    for (const rules::scalar& s : about().scalars) {
      if (!exact.contains(s.name)) {
        throw std::invalid_argument(about().name + ": no value for the scalar " + s.name);
      }
      if (how.float_coefficients) exact[s.name] = static_cast<float>(exact[s.name]);
    }
    Rule::check(step, exact);
    return std::make_unique<elementwise_evaluator<Rule>>(about(), step, exact, how, auditor);
  }
};

}  // namespace driftgate::tiers
