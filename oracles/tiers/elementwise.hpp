// The oracle of an elementwise rule, made from the rule's text.
//
// Every output is first decided by the vectorised double tier. What it cannot pass at sight - too
// near the budget, beyond the range of the format, a zero of the other sign, or plainly wrong -
// goes element by element through resolve.hpp. Rule is a struct as in rules/adamw.cpp.
//
// The rule's text knows nothing of formats. What a contract stores in a narrower one is judged here
// by the same value and budget (decision.hpp), and so is a role that stands for another.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "oracles/rules/evaluator.hpp"
#include "oracles/tiers/block.hpp"
#include "oracles/tiers/coefficients.hpp"
#include "oracles/tiers/resolve.hpp"
#include "oracles/tiers/scaled_rule.hpp"
#include "oracles/tiers/skipped_step.hpp"

namespace driftgate::tiers {

// Of a budget, what the double tier may pass.
inline constexpr double shrink = 1 - numbers::decision_window<double, f64_pack::format>();

// Failures of an output after which special values are no longer enumerated.
inline constexpr std::uint64_t enough_failures = 16;

template <class Rule>
class elementwise_evaluator : public rules::evaluator {
  static_assert(Rule::role_count <= rules::max_roles, "rules::elements holds no more");

 public:
  elementwise_evaluator(rules::description about, std::int64_t step,
                        const rules::scalar_values& scalars, const rules::arithmetic& how,
                        rules::audit* auditor)
      : about_(std::move(about)),
        resolver_(about_, step, scalars, how),
        auditor_(auditor),
        coefficients_(resolver_.rule().template coefficients<f64_pack>()) {
    for (std::size_t k = 0; k < outputs; ++k) {
      const std::size_t role = Rule::outputs[k];
      add_column(role, k);
      if (resolver_.rule().source(role) != role) add_column(resolver_.rule().source(role), k);
    }
  }

  void judge(const rules::elements& all, std::uint64_t first, rules::tally& into) const override {
    scratch s;
    if (auditor_) ++auditor_->passes;
    for (std::size_t start = 0; start < all.count; start += block_size) {
      const rules::elements block = part(all, start, std::min(block_size, all.count - start));
      const bool full = into[Rule::outputs[0]].blocks++ % rules::histogram_sampling == 0;
      std::array<bool, outputs> clear{};
      if (full) {
        enclose_block<f64_pack, rules::widest>(block, coefficients_, s);
      } else if (clear = glance(block, into); std::count(clear.begin(), clear.end(), false) > 0) {
        enclose_block<f64_pack, rules::first>(block, coefficients_, s);
      }
      for (const column& c : columns_) {
        if (all.after[c.role] == nullptr) continue;
        rules::output_tally& of_role = into[c.role];
        of_role.judged += block.count;
        if (clear[c.output]) {
          of_role.tiers[std::size_t(rules::tier::f64)] += block.count;
          audit_one(block, c, nullptr, first + start, of_role);
        } else {
          judge_column(block, c, s, full, first + start, of_role);
        }
      }
    }
  }

  void exact(const rules::elements& all, std::array<double*, rules::max_roles> head,
             std::array<double*, rules::max_roles> tail) const override {
    scratch s;
    const auto dd_coefficients = resolver_.rule().template coefficients<dd_pack>();
    for (std::size_t start = 0; start < all.count; start += block_size) {
      const std::size_t n = std::min(block_size, all.count - start);
      enclose_block<dd_pack, rules::first>(part(all, start, n), dd_coefficients, s);
      copy_columns(s, start, n, head, tail);
    }
  }

  void enclose(const rules::elements& all, std::array<double*, rules::max_roles> value,
               std::array<double*, rules::max_roles> error) const override {
    scratch s;
    for (std::size_t start = 0; start < all.count; start += block_size) {
      const std::size_t n = std::min(block_size, all.count - start);
      enclose_block<f64_pack, rules::widest>(part(all, start, n), coefficients_, s);
      copy_columns(s, start, n, value, error);
    }
  }

  rules::verdict_on_element describe(const rules::elements& block, std::size_t index,
                                     std::size_t role) const override {
    const auto is_role = [&](const column& c) { return c.role == role; };
    const column& c = *std::find_if(columns_.begin(), columns_.end(), is_role);
    return resolver_.describe(resolver_.rule().inputs(block, index), Rule::outputs[c.output],
                              stored(block, c, index));
  }

  std::vector<rules::traced_form> trace(const rules::elements& block,
                                        std::size_t index) const override {
    return resolver_.trace(resolver_.rule().inputs(block, index));
  }

 private:
  using mathematics = typename Rule::mathematics;

  static constexpr std::size_t outputs = Rule::outputs.size();

  struct scratch {
    double value[outputs][block_size];
    double error[outputs][block_size];
  };

  // A role that is judged, and which of the rule's outputs it stores.
  struct column {
    std::size_t role;
    std::size_t output;
    formats::format_id format;
  };

  void add_column(std::size_t role, std::size_t output) {
    const formats::format_id format = about_.roles[role].format;
    columns_.push_back({role, output, format});
    plain_ = plain_ && role == Rule::outputs[output] && format == compute_format;
  }

  static stored_value stored(const rules::elements& block, const column& c, std::size_t i) {
    return {block.after[c.role][i], c.format};
  }

  // What the scratch holds of every role that is wanted.
  void copy_columns(const scratch& s, std::size_t start, std::size_t count,
                    const std::array<double*, rules::max_roles>& value,
                    const std::array<double*, rules::max_roles>& error) const {
    for (const column& c : columns_) {
      if (value[c.role]) std::copy_n(s.value[c.output], count, value[c.role] + start);
      if (error[c.role]) std::copy_n(s.error[c.output], count, error[c.role] + start);
    }
  }

  static rules::elements part(const rules::elements& all, std::size_t start, std::size_t count) {
    rules::elements block = all;
    block.count = count;
    for (auto& p : block.before) p = p ? p + start : nullptr;
    for (auto& p : block.after) p = p ? p + start : nullptr;
    return block;
  }

  // A column of floats in whole packs: a tail is filled up with its last element.
  class whole_packs {
   public:
    const float* of(const float* column, std::size_t count) {
      static constexpr float absent[block_size] = {};
      if (column == nullptr) return absent;
      if (count % numbers::pack::lanes == 0) return column;
      float* filled = filled_[used_++];
      std::copy_n(column, count, filled);
      std::fill_n(filled + count, numbers::pack::lanes, column[count - 1]);
      return filled;
    }

   private:
    float filled_[2 * Rule::role_count][block_size + numbers::pack::lanes];
    std::size_t used_ = 0;
  };

  template <class N, template <class> class Evaluation>
  block_inputs<mathematics, N, Evaluation> inputs_of(const rules::elements& block,
                                                     const coefficients_of<Rule, N>& c,
                                                     whole_packs& packs) const {
    constexpr std::size_t lanes = numbers::pack::lanes;
    block_inputs<mathematics, N, Evaluation> in{resolver_.rule().switches(),
                                                c,
                                                resolver_.rule().roundoff(),
                                                (block.count + lanes - 1) / lanes * lanes,
                                                {}};
    for (std::size_t r = 0; r < in.before.size(); ++r) {
      in.before[r] = packs.of(block.before[resolver_.rule().source(r)], block.count);
    }
    return in;
  }

  template <class N, template <class> class Evaluation>
  void enclose_block(const rules::elements& block, const coefficients_of<Rule, N>& c,
                     scratch& s) const {
    whole_packs packs;
    run_here(enclosed_block<mathematics, N, Evaluation>{inputs_of<N, Evaluation>(block, c, packs),
                                                        s.value, s.error});
  }

  // Outputs that pass in all elements, and none of which has a larger ratio than seen so far. For
  // outputs in the compute format, each of which has one role.
  std::array<bool, outputs> glance(const rules::elements& block, const rules::tally& into) const {
    std::array<bool, outputs> clear{};
    if (!plain_) return clear;
    whole_packs packs;
    glance_block<mathematics> view{
        inputs_of<f64_pack, rules::first>(block, coefficients_, packs), {}, {}, clear};
    for (std::size_t k = 0; k < outputs; ++k) {
      const std::size_t role = Rule::outputs[k];
      if (block.after[role]) view.after[k] = packs.of(block.after[role], block.count);
      view.limit[k] = std::min(shrink, into[role].worst.ratio);
    }
    run_here(view);
    return clear;
  }

  // How far values are from the results that are stored as what was got; negative inside.
  template <formats::format_id Format>
  static void distances_from(const float* got, const double* value, std::size_t count,
                             double* outside) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = formats::rounds_to<Format>(got[i]);
      const double under = from.below - value[i];
      const double over = value[i] - from.above;
      outside[i] = under < over ? over : under;
      // At the very end: only the resolver knows whether that rounds so.
      if (outside[i] == 0) outside[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  void judge_column(const rules::elements& block, const column& c, const scratch& s, bool full,
                    std::uint64_t first, rules::output_tally& into) const {
    const float* got = block.after[c.role];
    const double* value = s.value[c.output];
    if (c.format == compute_format) {
      const auto distance = [=](std::size_t i) { return std::fabs(got[i] - value[i]); };
      judge_output(block, c, s, full, first, into, distance);
    } else {
      double outside[block_size];
      if (c.format == formats::format_id::bf16) {
        distances_from<formats::format_id::bf16>(got, value, block.count, outside);
      } else {
        distances_from<formats::format_id::f16>(got, value, block.count, outside);
      }
      const auto distance = [&](std::size_t i) { return outside[i]; };
      judge_output(block, c, s, full, first, into, distance);
    }
  }

  // A full block has the budget itself; a quick one the first form's, which is at most that: it may
  // pass, and has its ratio taken only where that may be the largest.
  template <class Distance>
  void judge_output(const rules::elements& block, const column& c, const scratch& s, bool full,
                    std::uint64_t first, rules::output_tally& into,
                    const Distance& distance_of) const {
    unsigned char passed[block_size];
    const float* got = block.after[c.role];
    const double* value = s.value[c.output];
    const double* error = s.error[c.output];
    const double largest = std::numeric_limits<float>::max();
    const double ratio_so_far = into.worst.ratio;
    unsigned failed = 0;
    unsigned notable = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      const double distance = distance_of(i);
      const bool within = (distance <= error[i] * shrink) & (error[i] <= largest);
      const bool signs = (got[i] != 0) | (std::signbit(got[i]) == std::signbit(value[i]));
      passed[i] = within & signs;
      failed |= !passed[i];
      notable |= distance > error[i] * ratio_so_far;
    }
    if (full) {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (!passed[i]) continue;
        const double distance = distance_of(i);
        const double ratio = distance > 0 ? distance / error[i] : 0;
        ++into.histogram[static_cast<std::size_t>(ratio * rules::histogram_bins)];
        note_worst(ratio, first + i, into);
      }
    } else if (notable) {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (!passed[i] || !(distance_of(i) > error[i] * into.worst.ratio)) continue;
        note_worst(resolver_.ratio(resolver_.rule().inputs(block, i), Rule::outputs[c.output],
                                   stored(block, c, i)),
                   first + i, into);
      }
    }
    if (!failed) {
      into.tiers[std::size_t(rules::tier::f64)] += block.count;
    } else {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (passed[i]) {
          ++into.tiers[std::size_t(rules::tier::f64)];
        } else {
          resolve(block, i, c, first + i, full, into);
        }
      }
    }
    audit_one(block, c, passed, first, into);
  }

  static void note_worst(double ratio, std::uint64_t index, rules::output_tally& into) {
    if (ratio > into.worst.ratio) into.worst = {ratio, index};
  }

  void resolve(const rules::elements& block, std::size_t i, const column& c, std::uint64_t index,
               bool counted, rules::output_tally& into) const {
    const float got = block.after[c.role][i];
    const bool enumerate = into.failed < enough_failures;
    const decision d = resolver_.decide(resolver_.rule().inputs(block, i), Rule::outputs[c.output],
                                        stored(block, c, i), enumerate);
    ++into.tiers[std::size_t(d.by)];
    if (d.by == rules::tier::ill_posed) return;
    if (d.unresolved) {
      ++into.unresolved;
      return;
    }
    if (d.by != rules::tier::special) {
      const double bin = std::min(d.ratio * rules::histogram_bins, 1.0 * rules::histogram_bins);
      if (counted) ++into.histogram[static_cast<std::size_t>(bin)];
      note_worst(d.ratio, index, into);
    }
    if (d.passed) return;
    if (into.failed++ == 0) into.first_failure = index;
    note_worst(d.ratio, index, into);
    into.nan_mismatches += d.class_differs;
    const float* old = block.before[c.role];
    into.unwritten +=
        old && std::bit_cast<std::uint32_t>(old[i]) == std::bit_cast<std::uint32_t>(got);
  }

  // A random 1 in 1024 of what was decided by budget, again by the raw formula. `passed` at sight;
  // null: all.
  void audit_one(const rules::elements& block, const column& c, const unsigned char* passed,
                 std::uint64_t first, rules::output_tally& into) const {
    if (auditor_ == nullptr || auditor_->remaining == 0) return;
    std::uint64_t h = first * 0x9e3779b97f4a7c15u + auditor_->passes * 0xd1342543de82ef95u +
                      auditor_->seed + c.role;
    h = (h ^ (h >> 30)) * 0x94d049bb133111ebu;
    h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9u;
    const std::size_t i = h >> 54;
    if (i >= block.count) return;
    const stored_value got = stored(block, c, i);
    const std::size_t role = Rule::outputs[c.output];
    const auto x = resolver_.rule().inputs(block, i);
    decision d{true, rules::tier::f64, 0, false};
    if (passed && !passed[i]) d = resolver_.decide(x, role, got);
    if (d.by == rules::tier::special || d.by == rules::tier::ill_posed) return;
    --auditor_->remaining;
    ++into.audited;
    resolver_.audit(x, role, got, d.passed);
  }

  const rules::description about_;  // as the contract has it
  resolver<Rule> resolver_;
  std::vector<column> columns_;
  bool plain_ = true;  // all outputs in the compute format, and none in two roles
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
    using judged = scaled_rule<Rule>;
    judged::check(step, exact);
    rules::description stored = about().stored_as(how.stored);
    if (rules::is_skipped(exact)) return std::make_unique<skipped_step>(std::move(stored));
    return std::make_unique<elementwise_evaluator<judged>>(std::move(stored), step, exact, how,
                                                           auditor);
  }
};

}  // namespace driftgate::tiers
