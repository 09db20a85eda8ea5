// The tiers: every verdict is reached, by the first tier that can tell, and counted once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "oracles/tiers/resolve.hpp"
#include "oracles/tiers/scaled_mathematics.hpp"
#include "tests/oracles/adamw_elements.hpp"

namespace driftgate::tests {
namespace {

using rules::tier;
using rules::tier_count;

// ---- each tier decides what those above it cannot

// The one tier that decided.
tier decided_by(const rules::output_tally& t) {
  for (std::size_t i = 0; i < tier_count; ++i) {
    if (t.tiers[i] != 0) return static_cast<tier>(i);
  }
  throw std::logic_error("nothing was decided");
}

// A hyperparameter that moves the exact parameter by less and less, and where to look for the point
// at which the verdict changes.
struct knob {
  double adamw_scalars::*scalar;
  double low, high;
};

// p = g = 1 and lr near 2^-10: the parameter goes to about 1 - 2^-10, its budget is about 2^-23. A
// double's last bit in lr moves the one or the other by 2^-62, and in each of the others by about
// 2^-50 of what the one before can do.
constexpr knob knobs[] = {
    {&adamw_scalars::lr, 0x1.fep-11, 0x1p-10},          {&adamw_scalars::eps, 0x1p-54, 0x1p-48},
    {&adamw_scalars::beta2, 0x1p-106, 0x1p-98},         {&adamw_scalars::beta1, 0x1p-160, 0x1p-150},
    {&adamw_scalars::weight_decay, 0x1p-212, 0x1p-202},
};

TEST(Tiers, EveryTierDecidesWhatThoseBeforeItCannot) {
  const adamw_element before{1, 1, 0x1p-60F, 0x1p-60F, 0};
  const float got = 1 - 0x1p-10F;
  adamw_scalars s;
  for (const knob& k : knobs) s.*k.scalar = k.low;
  std::set<tier> seen;
  const auto passes = [&] {
    const rules::output_tally t = adamw_oracle(s).judge(before, adamw::param, got);
    seen.insert(decided_by(t));
    return t.failed == 0;
  };

  // Bisect one after the other for two neighbouring doubles of which one passes and one fails; go
  // on from the one that the next knob can move to the other side.
  for (std::size_t i = 0; i < std::size(knobs); ++i) {
    double& x = s.*knobs[i].scalar;
    double low = knobs[i].low, high = knobs[i].high;
    x = low;
    const bool at_low = passes();
    x = high;
    ASSERT_NE(passes(), at_low) << i;
    while (std::nextafter(low, high) != high) {
      x = low + (high - low) / 2;
      (passes() == at_low ? low : high) = x;
    }
    if (i + 1 == std::size(knobs)) break;
    double& next = s.*knobs[i + 1].scalar;
    next = knobs[i + 1].high;
    x = low;
    if (passes() == at_low) x = high;
    next = knobs[i + 1].low;
  }

  EXPECT_EQ(seen, (std::set<tier>{tier::f64, tier::double_double, tier::mpfr_128, tier::mpfr_256,
                                  tier::mpfr_1024}));
}

// ---- a rule so small that its budget can be met exactly

struct sum_rule {
  enum role_index { left, right, total, role_count };
  static constexpr std::array<std::size_t, 1> outputs{total};
  static constexpr std::size_t coefficient_count = 1;
  struct switches {};

  static rules::description about() {
    rules::description d;
    d.name = "sum";
    d.roles = {{"left", false, "", "", "", false, {}, {}},
               {"right", false, "", "", "", false, {}, {}},
               {"total", true, "", "", "", false, {}, {"left", "right"}}};
    return d;
  }
  static switches switches_of(const rules::scalar_values&, const rules::arithmetic&) { return {}; }
  static std::array<tiers::coefficient, 1> coefficients(std::int64_t, const rules::scalar_values&) {
    return {tiers::coefficient(numbers::multiprecision(1.0))};
  }
  template <class N, class Evaluation>
  static std::array<N, role_count> step(Evaluation&, const switches&, const std::array<N, 1>&,
                                        const std::array<N, role_count>& x) {
    return {x[left], x[right], x[left] + x[right]};
  }
  // For the audit: wrong by the left operand's last bits where the scalar says so.
  static std::array<numbers::multiprecision, role_count> exact(
      std::int64_t, const rules::scalar_values& s,
      const std::array<numbers::multiprecision, role_count>& x) {
    const numbers::multiprecision skew(1 + s.at("skew"));
    return {x[left], x[right], x[left] * skew + x[right]};
  }
};

class SumRule : public testing::Test {
 protected:
  tiers::resolver<sum_rule> with(double skew) { return {about_, 1, {{"skew", skew}}, {}}; }

  const rules::description about_ = sum_rule::about();
};

TEST_F(SumRule, DecidesADistanceThatEqualsTheBudgetToTheLastBit) {
  // Below 2^k neighbours are u 2^k apart, which is the budget of a sum that is 2^k exactly.
  const auto resolver = with(0);
  for (int k = -100; k <= 100; ++k) {
    const float half = std::ldexp(0.5F, k);
    const float below = std::nextafter(2 * half, 0.0F);
    const tiers::decision at_the_edge = resolver.decide({half, half, 0}, sum_rule::total, below);
    EXPECT_TRUE(at_the_edge.passed);
    EXPECT_EQ(at_the_edge.ratio, 1);
    EXPECT_EQ(at_the_edge.by, tier::mpfr_128) << "exact there, so no precision is asked for again";
    const float beyond = std::nextafter(below, 0.0F);
    EXPECT_FALSE(resolver.decide({half, half, 0}, sum_rule::total, beyond).passed);
  }
}

TEST_F(SumRule, PassesTheExactValueAndNothingElseWhereTheBudgetIsZero) {
  const auto resolver = with(0);
  EXPECT_TRUE(resolver.decide({3, 0, 0}, sum_rule::total, 3).passed);
  EXPECT_FALSE(resolver.decide({3, 0, 0}, sum_rule::total, std::nextafter(3.0F, 4.0F)).passed);
}

TEST_F(SumRule, IsAuditedByItsRawFormula) {
  // The kernel's total is exact, so that the raw formula alone is put to the test.
  EXPECT_NO_THROW(with(0).audit({1, 2, 0}, sum_rule::total, 3, true));
  EXPECT_THROW(with(0).audit({1, 2, 0}, sum_rule::total, 3, false), rules::oracle_failure);
  EXPECT_THROW(with(1e-3).audit({1, 2, 0}, sum_rule::total, 3, true), rules::oracle_failure);
}

TEST(Tiers, DyadicElementsAreAllDecidedAtAndAroundTheirExactValues) {
  const float values[] = {0, 1, -1, 2, 0.5F, -0.25F, 0x1p-149F, 0x1p127F};
  adamw_scalars s;
  s.lr = 0.5;
  s.beta1 = 0.5;
  s.beta2 = 0.75;
  s.weight_decay = 0.5;
  draw random(seed_t{1});
  for (const double eps : {0.0, 0.5}) {
    for (const bool amsgrad : {false, true}) {
      s.eps = eps;
      s.amsgrad = amsgrad;
      const adamw_oracle oracle(s);
      adamw_columns columns(1 << 14);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const adamw_element e{random.of(values), random.of(values), random.of(values),
                              std::fabs(random.of(values)), std::fabs(random.of(values))};
        adamw_element y = plain_step(adamw_floats(s), e);
        for (float* x : {&y.p, &y.m, &y.v, &y.w}) {
          for (std::size_t k = random.below(4); k > 0; --k) *x = std::nextafter(*x, 2 * *x);
        }
        columns.set_before(i, e);
        columns.set_after(i, y);
      }
      EXPECT_NO_THROW(oracle.judge(columns));
    }
  }
}

// ---- the tally

// Right outputs, but for every `wrong`-th element, whose outputs are doubled. Some inputs are
// special.
adamw_columns mixed_columns(const adamw_scalars& s, std::size_t count, std::size_t wrong,
                            bool with_specials) {
  draw random(seed_t{2});
  const adamw_floats c(s);
  adamw_columns columns(count);
  for (std::size_t i = 0; i < count; ++i) {
    adamw_element e = training_element(random);
    if (with_specials && i % 100 == 7) e.g = std::numeric_limits<float>::infinity();
    if (with_specials && i % 100 == 8) e = {1, 0, 1, 0, 0};
    columns.set_before(i, e);
    adamw_element y = plain_step(c, e);
    if (wrong != 0 && i % wrong == wrong - 1) y = {2 * y.p, y.g, 2 * y.m, 2 * y.v, 2 * y.w};
    columns.set_after(i, y);
  }
  return columns;
}

std::uint64_t total(const auto& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

TEST(Tally, CountsEveryOutputOnceByTheTierThatDecided) {
  adamw_scalars s;
  s.eps = 0;
  s.amsgrad = true;
  const rules::tally t = adamw_oracle(s).judge(mixed_columns(s, 5000, 10, true));
  for (const std::size_t role : adamw::outputs) {
    EXPECT_EQ(t[role].judged, 5000U);
    EXPECT_EQ(total(t[role].tiers), 5000U);
    EXPECT_GE(t[role].failed, 450U);
    EXPECT_EQ(t[role].first_failure, 9U);
  }
  EXPECT_EQ(t[adamw::grad].judged, 0U);
}

TEST(Tally, HasAHistogramOfTheSampledBlocksOnly) {
  const adamw_scalars s;
  const std::size_t blocks = 40, elements = blocks * tiers::block_size;
  const rules::tally t = adamw_oracle(s).judge(mixed_columns(s, elements, 0, false));
  const std::size_t sampled = (blocks - 1) / rules::histogram_sampling + 1;
  for (const std::size_t role : {adamw::exp_avg, adamw::exp_avg_sq, adamw::param}) {
    EXPECT_EQ(total(t[role].histogram), sampled * tiers::block_size);
    EXPECT_EQ(t[role].histogram.back(), 0U);
  }
  EXPECT_EQ(t[adamw::outputs[0]].blocks, blocks);
}

TEST(Tally, PutsFailuresOfASampledBlockAboveTheHistogramsLastBin) {
  const adamw_scalars s;
  const rules::tally t = adamw_oracle(s).judge(mixed_columns(s, tiers::block_size, 4, false));
  EXPECT_EQ(t[adamw::exp_avg].failed, tiers::block_size / 4);
  EXPECT_EQ(t[adamw::exp_avg].histogram.back(), tiers::block_size / 4);
  EXPECT_EQ(total(t[adamw::exp_avg].histogram), tiers::block_size);
}

TEST(Tally, HasTheWorstRatioOfAllBlocksAndItsIndex) {
  const adamw_scalars s;
  const std::uint64_t first = 1'000'000'000'000;
  const adamw_columns columns = mixed_columns(s, 20 * tiers::block_size + 3, 0, false);
  const adamw_oracle oracle(s);
  const rules::tally t = oracle.judge(columns, first);
  for (const std::size_t role : {adamw::exp_avg, adamw::exp_avg_sq, adamw::param}) {
    rules::worst_element worst;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double ratio = oracle.evaluator().describe(columns.view(false), i, role).ratio;
      if (ratio > worst.ratio) worst = {ratio, first + i};
    }
    EXPECT_EQ(t[role].worst.index, worst.index);
    const double window = numbers::decision_window<double, formats::format_id::f32>();
    EXPECT_LE(std::fabs(t[role].worst.ratio - worst.ratio), window);
  }
}

TEST(Tally, NamesTheFirstAndTheWorstFailure) {
  const adamw_scalars s;
  adamw_columns columns = mixed_columns(s, 3000, 0, false);
  for (const std::size_t i : {std::size_t{777}, std::size_t{1500}, std::size_t{2600}}) {
    adamw_element y = columns.after(i);
    y.m *= i == 1500 ? 100.0F : 1.5F;
    columns.set_after(i, y);
  }
  const rules::output_tally t = adamw_oracle(s).judge(columns, 10)[adamw::exp_avg];
  EXPECT_EQ(t.failed, 3U);
  EXPECT_EQ(t.first_failure, 787U);
  EXPECT_EQ(t.worst.index, 1510U);
}

TEST(Tally, CountsWhatIsUnwrittenAndWhatIsFiniteWhereItShouldNotBe) {
  const adamw_scalars s;
  adamw_columns columns = mixed_columns(s, 300, 0, false);
  for (std::size_t i = 100; i < 103; ++i) {
    adamw_element y = columns.after(i);
    y.m = columns.before(i).m;
    y.v = std::numeric_limits<float>::quiet_NaN();
    columns.set_after(i, y);
  }
  const rules::tally t = adamw_oracle(s).judge(columns);
  EXPECT_EQ(t[adamw::exp_avg].unwritten, 3U);
  EXPECT_EQ(t[adamw::exp_avg].nan_mismatches, 0U);
  EXPECT_EQ(t[adamw::exp_avg_sq].failed, 3U);
  EXPECT_EQ(t[adamw::exp_avg_sq].nan_mismatches, 3U);
  EXPECT_EQ(t[adamw::exp_avg_sq].unwritten, 0U);
  EXPECT_TRUE(std::isinf(t[adamw::exp_avg_sq].worst.ratio));
}

TEST(Tally, CallsNoSpecialValueRightThatNobodyLookedInto) {
  const adamw_scalars s;
  adamw_columns columns(1000);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns.set_before(i, {1, std::numeric_limits<float>::infinity(), 1, 1, 0});
    columns.set_after(i, {1, 0, 1, 1, 0});  // where infinities belong
  }

  const rules::output_tally t = adamw_oracle(s).judge(columns)[adamw::exp_avg];

  EXPECT_GT(t.failed, 0U);
  EXPECT_GT(t.unresolved, 0U);
  EXPECT_EQ(t.failed + t.unresolved, 1000U);
  EXPECT_EQ(t.nan_mismatches, t.failed);
}

TEST(Tally, AddsUpToTheTallyOfTheWhole) {
  adamw_scalars s;
  s.amsgrad = true;
  const adamw_columns columns = mixed_columns(s, 32 * tiers::block_size, 50, true);
  const adamw_oracle oracle(s);
  const rules::tally whole = oracle.judge(columns);
  rules::tally sum;
  for (std::size_t half = 0; half < 2; ++half) {
    rules::elements part = columns.view(true);
    part.count /= 2;
    for (auto* side : {&part.before, &part.after}) {
      for (const float*& p : *side) p = p ? p + half * part.count : nullptr;
    }
    rules::tally t;
    oracle.evaluator().judge(part, half * part.count, t);
    for (const std::size_t role : adamw::outputs) sum[role].add(t[role]);
  }
  for (const std::size_t role : adamw::outputs) {
    EXPECT_EQ(sum[role].blocks, whole[role].blocks);
    EXPECT_EQ(sum[role].judged, whole[role].judged);
    EXPECT_EQ(sum[role].failed, whole[role].failed);
    EXPECT_LE(sum[role].unresolved, whole[role].unresolved) << "a part has failures of its own";
    EXPECT_EQ(sum[role].nan_mismatches, whole[role].nan_mismatches);
    EXPECT_EQ(sum[role].unwritten, whole[role].unwritten);
    EXPECT_EQ(sum[role].tiers, whole[role].tiers);
    EXPECT_EQ(sum[role].histogram, whole[role].histogram);
    EXPECT_EQ(sum[role].first_failure, whole[role].first_failure);
    EXPECT_EQ(sum[role].worst.index, whole[role].worst.index);
    EXPECT_EQ(sum[role].worst.ratio, whole[role].worst.ratio);
  }
}

TEST(Tally, KeepsTheWorseOfTwoAndTheEarlierFirstFailure) {
  rules::output_tally a, b;
  a.worst = {2, 10};
  a.first_failure = 10;
  b.worst = {3, 20};
  b.first_failure = 5;
  a.add(b);
  EXPECT_EQ(a.worst.index, 20U);
  EXPECT_EQ(a.first_failure, 5U);
  a.add(rules::output_tally{});
  EXPECT_EQ(a.worst.index, 20U);
  EXPECT_EQ(a.first_failure, 5U);
}

TEST(Tally, AuditsAboutOneIn1024AndNoMoreThanRemain) {
  const adamw_scalars s;
  const adamw_columns columns = mixed_columns(s, 1 << 18, 3, false);
  rules::audit plenty{5};
  rules::audit three{5, 3};
  std::uint64_t audited = 0, of_three = 0;
  const rules::tally t = adamw_oracle(s, &plenty).judge(columns);
  const rules::tally few = adamw_oracle(s, &three).judge(columns);
  for (const std::size_t role : adamw::outputs) {
    audited += t[role].audited;
    of_three += few[role].audited;
  }
  const std::uint64_t expected = 3 * columns.size() / 1024;
  const double deviation = std::sqrt(static_cast<double>(expected));  // of a Poisson count
  EXPECT_LT(std::fabs(static_cast<double>(audited) - static_cast<double>(expected)), 6 * deviation);
  EXPECT_EQ(plenty.remaining, rules::audit{}.remaining - audited);
  EXPECT_EQ(of_three, 3U);
  EXPECT_EQ(three.remaining, 0U);
}

// ---- coefficients

TEST(Coefficient, MayBeAProductQuotientOrRootInSingleButNoDifferenceThatCancels) {
  using tiers::coefficient;
  const auto allowed = [](const coefficient& c, float got) {
    return magnitude(numbers::multiprecision(got) - c.value) <=
           tiers::coefficient_error<formats::format_id::f32>(c);
  };
  const coefficient one(numbers::multiprecision(1.0));
  const coefficient a(numbers::multiprecision(0.1));
  const coefficient b(numbers::multiprecision(0.7));
  EXPECT_TRUE(allowed(a * b, 0.1F * 0.7F));
  EXPECT_TRUE(allowed(tiers::quotient(a, b), 0.1F / 0.7F));
  EXPECT_TRUE(allowed(tiers::quotient(one, tiers::root(b)), 1 / std::sqrt(0.7F)));
  EXPECT_TRUE(allowed(tiers::one_minus_product(a, b), 1 - 0.1F * 0.7F));
  EXPECT_TRUE(allowed(one - coefficient(numbers::multiprecision(0.999)), 0.001F));
  EXPECT_FALSE(allowed(one - coefficient(numbers::multiprecision(0.999)), 1 - 0.999F));
}

TEST(Coefficient, TheRootOfSeveralOrdersIsOneRootOfEach) {
  const tiers::coefficient a(numbers::multiprecision(0.5)), b(numbers::multiprecision(0.25));
  const tiers::coefficient two = either(a, b);
  EXPECT_EQ(tiers::root(two).singles,
            (std::vector<float>{std::sqrt(0.5F), std::sqrt(0.5F), std::sqrt(0.25F)}));
}

// ---- instruction sets

// What the loops are compiled for.
using scaled = tiers::scaled_mathematics<adamw>;

// Coefficients that are typical and not exact: the loops are put to the test, not the rule.
template <class N>
tiers::coefficients_of<scaled, N> some_coefficients() {
  tiers::coefficients_of<scaled, N> c;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const numbers::multiprecision third(1.0 / (3.0 + static_cast<double>(i)));
    c[i] = tiers::coefficient_as<N>::make(tiers::coefficient(third));
  }
  return c;
}

class InstructionSet : public testing::Test {
 protected:
  static constexpr std::size_t outputs = adamw::outputs.size();
  struct enclosure {
    double value[outputs][tiers::block_size], error[outputs][tiers::block_size];

    bool operator==(const enclosure& other) const {
      return std::memcmp(this, &other, sizeof *this) == 0;
    }
  };

  InstructionSet() {
    draw random(seed_t{9});
    for (std::size_t r = 0; r < adamw::role_count; ++r) {
      for (float& x : inputs_[r]) {
        x = random.one_in(8) ? random.any_float() : static_cast<float>(random.either(-20, 20));
        if (r >= adamw::exp_avg_sq) x = std::fabs(x);
      }
      before_[r] = inputs_[r];
    }
  }

  template <class Set, class Block, class N>
  enclosure enclose(const tiers::coefficients_of<scaled, N>& c, bool amsgrad) {
    const scaled::switches on{{amsgrad, false, {true, true, false}, {true, true, false}}, amsgrad};
    enclosure e{};
    const Block block{{on, c, {0x1p-24, 0x1p-24}, tiers::block_size, before_}, e.value, e.error};
    tiers::run_on<Set>(block);
    return e;
  }

  template <class Block, class N>
  void expect_the_same_bits_from_all() {
    const auto c = some_coefficients<N>();
    for (const bool amsgrad : {false, true}) {
      [[maybe_unused]] const enclosure plain = enclose<tiers::baseline, Block, N>(c, amsgrad);
#ifdef DRIFTGATE_X86_64_UNITS
      if (__builtin_cpu_supports("x86-64-v3")) {
        EXPECT_TRUE((enclose<tiers::x86_64_v3, Block, N>(c, amsgrad) == plain));
      }
      if (__builtin_cpu_supports("x86-64-v4")) {
        EXPECT_TRUE((enclose<tiers::x86_64_v4, Block, N>(c, amsgrad) == plain));
      }
#endif
    }
  }

 private:
  float inputs_[adamw::role_count][tiers::block_size];
  std::array<const float*, adamw::role_count> before_;
};

TEST_F(InstructionSet, GivesTheSameBitsForTheFirstForm) {
  expect_the_same_bits_from_all<tiers::quick_block<scaled>, tiers::f64_pack>();
}
TEST_F(InstructionSet, GivesTheSameBitsForAllForms) {
  expect_the_same_bits_from_all<tiers::full_block<scaled>, tiers::f64_pack>();
}
TEST_F(InstructionSet, GivesTheSameBitsInDoubleDouble) {
  expect_the_same_bits_from_all<tiers::dd_block<scaled>, tiers::dd_pack>();
}

// ---- elements on the edges of blocks and packs

TEST(Tiers, AVerdictDoesNotDependOnWhereTheElementStands) {
  const adamw_scalars s;
  const adamw_oracle oracle(s);
  const adamw_columns columns = mixed_columns(s, 3 * tiers::block_size, 5, false);
  const rules::elements all = columns.view(false);
  for (std::size_t count = 1; count <= tiers::block_size + 9; ++count) {
    rules::elements part = all;
    part.count = count;
    const std::size_t start = all.count - count;
    for (auto* side : {&part.before, &part.after}) {
      for (const float*& p : *side) p = p ? p + start : nullptr;
    }
    rules::tally t;
    oracle.evaluator().judge(part, start, t);
    std::uint64_t wrong = 0;
    for (std::size_t i = start; i < all.count; ++i) wrong += i % 5 == 4;
    EXPECT_EQ(t[adamw::exp_avg].failed, wrong);
    EXPECT_EQ(t[adamw::exp_avg_sq].failed, wrong);
    EXPECT_EQ(t[adamw::exp_avg].judged, count);
  }
}

}  // namespace
}  // namespace driftgate::tests
