// The oracle of a step that is skipped, whatever the rule: nothing changes, not a bit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "oracles/numbers/multiprecision.hpp"
#include "oracles/rules/evaluator.hpp"

namespace driftgate::tiers {

class skipped_step : public rules::evaluator {
 public:
  explicit skipped_step(rules::description about) : about_(std::move(about)) {}

  void judge(const rules::elements& block, std::uint64_t first, rules::tally& into) const override {
    for (std::size_t r = 0; r < about_.roles.size(); ++r) {
      if (about_.roles[r].is_mutable && block.before[r] && block.after[r]) {
        judge_role(block.before[r], block.after[r], block.count, first, into[r]);
      }
    }
  }

  void enclose(const rules::elements& block, std::array<double*, rules::max_roles> value,
               std::array<double*, rules::max_roles> error) const override {
    for (std::size_t r = 0; r < about_.roles.size(); ++r) {
      if (value[r] && block.before[r]) std::copy_n(block.before[r], block.count, value[r]);
      if (error[r]) std::fill_n(error[r], block.count, 0.0);
    }
  }

  void exact(const rules::elements& block, std::array<double*, rules::max_roles> head,
             std::array<double*, rules::max_roles> tail) const override {
    enclose(block, head, tail);
  }

  rules::verdict_on_element describe(const rules::elements& block, std::size_t index,
                                     std::size_t role) const override {
    const auto words = [](float x) {
      return std::isnan(x) ? "nan" : numbers::multiprecision(x).to_string(9);
    };
    rules::verdict_on_element v;
    v.got = words(block.after[role][index]);
    v.exact = words(block.before[role][index]);
    v.allowed = "0";
    v.passed = same_bits(block.after[role][index], block.before[role][index]);
    v.ratio = v.passed ? 0 : std::numeric_limits<double>::infinity();
    v.decided_by = rules::tier::special;
    return v;
  }

  // No stage is evaluated.
  std::vector<rules::traced_form> trace(const rules::elements& /*block*/,
                                        std::size_t /*index*/) const override {
    return {};
  }

 private:
  static bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }

  static void judge_role(const float* before, const float* after, std::size_t count,
                         std::uint64_t first, rules::output_tally& into) {
    into.judged += count;
    into.tiers[static_cast<std::size_t>(rules::tier::special)] += count;
    for (std::size_t i = 0; i < count; ++i) {
      if (same_bits(before[i], after[i])) continue;
      if (into.failed++ == 0) into.first_failure = first + i;
      into.worst = {std::numeric_limits<double>::infinity(), first + i};
    }
  }

  rules::description about_;
};

}  // namespace driftgate::tiers
