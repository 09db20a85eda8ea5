// Outputs that are stored in fewer bits than they are computed in: by hand where nothing but the
// store rounds, against MPFR's rounding elsewhere, and tier against tier.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "oracles/tiers/resolve.hpp"
#include "tests/oracles/adamw_elements.hpp"

namespace driftgate::tests {
namespace {

using formats::format_id;
using numbers::multiprecision;

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- AdamW with a master in f32 and its copy in a narrower format

constexpr std::size_t master_param = adamw::role_count;  // its place in the description

// A copy that differs from the master's rounding, where it must not be read.
constexpr float stale = -77;

class with_master {
 public:
  with_master(const adamw_scalars& s, format_id format, rules::audit* auditor = nullptr) {
    rules::arithmetic how;
    how.stored = {{"param", format},
                  {"grad", format_id::f32},
                  {"exp_avg", format_id::f32},
                  {"exp_avg_sq", format_id::f32},
                  {"master_param", format_id::f32}};
    evaluator_ = rules::find_rule("adamw")->at(s.step, s.values(), how, auditor);
  }

  // e.p is the master. Judges one output of one element.
  rules::output_tally judge(const adamw_element& e, std::size_t role, float got) const {
    const columns c(e);
    rules::elements one = c.view();
    one.after[role] = &got;
    rules::tally result;
    evaluator_->judge(one, 0, result);
    return result[role];
  }
  bool passes(const adamw_element& e, std::size_t role, double got) const {
    return judge(e, role, static_cast<float>(got)).failed == 0;
  }
  rules::verdict_on_element describe(const adamw_element& e, std::size_t role, float got) const {
    const columns c(e);
    rules::elements one = c.view();
    one.after[role] = &got;
    return evaluator_->describe(one, 0, role);
  }
  double exact_parameter(const adamw_element& e) const {
    const columns c(e);
    double head = 0;
    std::array<double*, rules::max_roles> heads{}, tails{};
    heads[adamw::param] = &head;
    evaluator_->exact(c.view(), heads, tails);
    return head;
  }

 private:
  struct columns {
    std::array<float, master_param + 1> values;
    explicit columns(const adamw_element& e) : values{stale, e.g, e.m, e.v, e.w, e.p} {}
    rules::elements view() const {
      rules::elements one;
      one.count = 1;
      for (std::size_t r = 0; r < values.size(); ++r) one.before[r] = &values[r];
      return one;
    }
  };
  std::unique_ptr<rules::evaluator> evaluator_;
};

// With a learning rate of zero the master stays as it is, exactly: only the copy is rounded.
adamw_scalars still() {
  adamw_scalars s;
  s.lr = 0;
  return s;
}

// Of all values, the copy of this master is that one, and its neighbours are not.
void expect_copy(format_id format, double master, double copy) {
  const with_master oracle(still(), format);
  const adamw_element e{static_cast<float>(master), 1, 1, 1, 0};
  ASSERT_EQ(e.p, master) << "the master is a float";
  EXPECT_TRUE(oracle.passes(e, adamw::param, copy)) << master;
  const std::uint64_t bits = formats::encode(format, copy);
  for (const int step : {-1, 1}) {
    const double other = formats::decode(format, formats::neighbour(format, bits, step));
    if (other == copy) continue;
    EXPECT_FALSE(oracle.passes(e, adamw::param, other)) << master << " " << other;
  }
  EXPECT_FALSE(oracle.passes(e, adamw::param, std::nan(""))) << master;
  EXPECT_TRUE(oracle.passes(e, master_param, master));
}

TEST(Narrow, ABf16CopyIsTheNearestAndTheEvenOneOfTwo) {
  // Eight bits: beside one the numbers are 2^-7 apart, and the ties 2^-8 beside them.
  expect_copy(format_id::bf16, 1, 1);
  expect_copy(format_id::bf16, 1 + 0x1p-8, 1);
  expect_copy(format_id::bf16, 1 + 0x1p-8 + 0x1p-23, 1 + 0x1p-7);
  expect_copy(format_id::bf16, 1 + 0x1p-8 - 0x1p-23, 1);
  expect_copy(format_id::bf16, 1 + 3 * 0x1p-8, 1 + 0x1p-6);
  expect_copy(format_id::bf16, -1 - 3 * 0x1p-8, -1 - 0x1p-6);
  expect_copy(format_id::bf16, 1 - 0x1p-9, 1);  // below one they are 2^-8 apart
  expect_copy(format_id::bf16, 1 - 3 * 0x1p-9, 1 - 0x1p-7);
}

TEST(Narrow, AnF16CopyIsTheNearestAndTheEvenOneOfTwo) {
  expect_copy(format_id::f16, 1 + 0x1p-11, 1);
  expect_copy(format_id::f16, 1 + 0x1p-11 + 0x1p-23, 1 + 0x1p-10);
  expect_copy(format_id::f16, 2 + 3 * 0x1p-10, 2 + 0x1p-8);
  expect_copy(format_id::f16, -0.1F, -0x1.998p-4);  // 0x1.99999ap-4
}

TEST(Narrow, SubnormalsAreKeptAndRoundedToAMultipleOfTheSmallest) {
  expect_copy(format_id::bf16, 0x1p-133, 0x1p-133);
  expect_copy(format_id::bf16, 0x1p-134, 0);
  expect_copy(format_id::bf16, 0x1p-134 + 0x1p-149, 0x1p-133);
  expect_copy(format_id::bf16, 3 * 0x1p-134, 0x1p-132);
  expect_copy(format_id::bf16, 0x1p-126 - 0x1p-149, 0x1p-126);
  expect_copy(format_id::f16, 0x1p-24, 0x1p-24);
  expect_copy(format_id::f16, 0x1p-25, 0);
  expect_copy(format_id::f16, 0x1p-25 + 0x1p-48, 0x1p-24);
  expect_copy(format_id::f16, 0x1p-14 - 0x1p-25, 0x1p-14);
  expect_copy(format_id::f16, 0x1p-14 - 3 * 0x1p-25, 0x1p-14 - 0x1p-23);
}

TEST(Narrow, WhatIsHalfAnUlpAboveTheLargestNumberIsInfinite) {
  expect_copy(format_id::f16, 65504, 65504);
  expect_copy(format_id::f16, std::nextafter(65520.0F, 0.0F), 65504);
  expect_copy(format_id::f16, 65520, infinity);
  expect_copy(format_id::f16, -65520, -infinity);
  expect_copy(format_id::f16, std::numeric_limits<float>::max() / 4, infinity);
  expect_copy(format_id::bf16, 0x1.feffp127, 0x1.fep127);
  expect_copy(format_id::bf16, 0x1.ffp127, infinity);
}

TEST(Narrow, ACopySaturatedOrTooEarlyInfiniteIsAMismatchOfClass) {
  const with_master oracle(still(), format_id::f16);
  const adamw_element large{70'000, 1, 1, 1, 0};
  const adamw_element small{60'000, 1, 1, 1, 0};
  EXPECT_EQ(oracle.judge(large, adamw::param, 65504).nan_mismatches, 1u);
  EXPECT_EQ(
      oracle.judge(small, adamw::param, std::numeric_limits<float>::infinity()).nan_mismatches, 1u);
}

TEST(Narrow, AZeroKeepsTheSignOfWhatWasRoundedToIt) {
  const with_master oracle(still(), format_id::f16);
  for (const float master : {-0x1p-30F, -0x1p-149F, -0x1p-25F}) {
    EXPECT_TRUE(oracle.passes({master, 1, 1, 1, 0}, adamw::param, -0.0)) << master;
    EXPECT_FALSE(oracle.passes({master, 1, 1, 1, 0}, adamw::param, 0.0)) << master;
    EXPECT_TRUE(oracle.passes({-master, 1, 1, 1, 0}, adamw::param, 0.0)) << master;
    EXPECT_FALSE(oracle.passes({-master, 1, 1, 1, 0}, adamw::param, -0.0)) << master;
  }
}

TEST(Narrow, AnUpdateThatMayGoEitherWayLeavesAZeroWithoutASign) {
  // 1e-30 - 1e-30 and some: within the budget the parameter is on either side of zero.
  adamw_scalars s;
  s.weight_decay = 0;
  s.eps = 0;
  s.beta1 = 0;
  const with_master oracle(s, format_id::f16);
  const adamw_element e{1e-3F, 1, 1, 0, 0};
  const double exact = oracle.exact_parameter(e);
  ASSERT_LT(std::fabs(exact), 1e-10);
  EXPECT_TRUE(oracle.passes(e, adamw::param, 0.0));
  EXPECT_TRUE(oracle.passes(e, adamw::param, -0.0));
}

TEST(Narrow, NaNAndInfinityOfTheMasterReachItsCopy) {
  const with_master oracle(still(), format_id::bf16);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(oracle.passes({nan, 1, 1, 1, 0}, adamw::param, nan));
  EXPECT_FALSE(oracle.passes({nan, 1, 1, 1, 0}, adamw::param, inf));
  EXPECT_FALSE(oracle.passes({nan, 1, 1, 1, 0}, adamw::param, stale));
  EXPECT_TRUE(oracle.passes({inf, 1, 1, 1, 0}, adamw::param, inf));
  EXPECT_FALSE(oracle.passes({inf, 1, 1, 1, 0}, adamw::param, 0x1.fep127));
}

TEST(Narrow, AFailureSaysWhichStoredValuesPass) {
  const with_master oracle(still(), format_id::bf16);
  const auto said = oracle.describe({1 + 0x1p-8F, 1, 1, 1, 0}, adamw::param, 1 + 0x1p-7F);
  EXPECT_FALSE(said.passed);
  EXPECT_EQ(said.ratio, infinity) << "nothing is allowed";
  EXPECT_EQ(std::stod(said.exact), 1 + 0x1p-8);
  EXPECT_EQ(std::stof(said.least), 1);
  EXPECT_EQ(std::stof(said.greatest), 1);
  EXPECT_TRUE(oracle.describe({1, 1, 1, 1, 0}, master_param, 1).least.empty());
}

// ---- without a master the old contents are read

TEST(Narrow, AStepInBf16IsTheRoundingOfTheStepByHand) {
  // p = 7/8 * 4 - 1/2 * 2 / (2 + 1/2) = 3.1 (adamw_test.cpp); bf16's numbers are 2^-6 apart there,
  // and 3.1 is 198.4 of them.
  adamw_scalars s;
  s.lr = 0.5;
  s.beta1 = 0.5;
  s.beta2 = 0.75;
  s.eps = 0.5;
  s.weight_decay = 0.25;
  rules::arithmetic how;
  how.stored = {{"param", format_id::bf16}, {"grad", format_id::bf16}};
  const adamw_oracle oracle(s, nullptr, how);
  const adamw_element before{4, 2, 0, 0, 0};
  EXPECT_TRUE(oracle.passes(before, adamw::param, 198 * 0x1p-6F));
  EXPECT_FALSE(oracle.passes(before, adamw::param, 197 * 0x1p-6F));
  EXPECT_FALSE(oracle.passes(before, adamw::param, 199 * 0x1p-6F));
}

// ---- beside the ties

// A master whose step ends beside a tie of the format, by less than the budget or little more.
adamw_element beside_a_tie(draw& random, const with_master& oracle, const adamw_scalars& s,
                           format_id format) {
  adamw_element e = training_element(random);
  const double stepped = oracle.exact_parameter(e);
  const auto from = formats::rounds_to(format, formats::round(format, stepped));
  const double tie = random.one_in(2) ? from.below : from.above;
  e.p += static_cast<float>((tie - stepped) / (1 - s.lr * s.weight_decay));
  const int steps = static_cast<int>(random.below(7)) - 3;
  const std::uint64_t bits = formats::encode(format_id::f32, e.p);
  e.p = static_cast<float>(
      formats::decode(format_id::f32, formats::neighbour(format_id::f32, bits, steps)));
  return e;
}

TEST(Narrow, AnOutputPassesIfItIsBetweenTheRoundingsOfBothEndsOfTheInterval) {
  int both = 0, one = 0;
  std::uint64_t audited = 0;
  for (const format_id format : {format_id::bf16, format_id::f16}) {
    adamw_scalars s;
    s.step = 10;
    rules::audit everything{1, std::numeric_limits<std::uint64_t>::max()};
    const with_master oracle(s, format, &everything);
    draw random(seed_t{3});
    for (int i = 0; i < 4'000; ++i) {
      const adamw_element e = beside_a_tie(random, oracle, s, format);
      const double nearest = formats::round(format, oracle.exact_parameter(e));
      const std::uint64_t bits = formats::encode(format, nearest);
      for (const int step : {-1, 0, 1}) {
        const double got = formats::decode(format, formats::neighbour(format, bits, step));
        const auto said = oracle.describe(e, adamw::param, static_cast<float>(got));
        const bool between = std::stof(said.least) <= got && got <= std::stof(said.greatest);
        const auto judged = oracle.judge(e, adamw::param, static_cast<float>(got));
        audited += judged.audited;
        ASSERT_EQ(judged.failed == 0, between)
            << got << " " << said.exact << " +- " << said.allowed;
        ASSERT_EQ(said.passed, between);
        if (step == 0) ++(said.least == said.greatest ? one : both);
      }
    }
  }
  EXPECT_GT(both, 1000) << "of 8000, where either neighbour is right";
  EXPECT_GT(one, 1000);
  EXPECT_GT(audited, 3u) << "in 1024";
}

// ---- tier against tier

struct product_rule {
  enum role_index { left, right, total, role_count };
  static constexpr std::array<std::size_t, 1> outputs{total};
  static constexpr std::size_t coefficient_count = 1;
  struct switches {};

  static rules::description about() {
    rules::description d;
    d.name = "product";
    d.roles = {{"left", false, "", "", "", false, {}, {}},
               {"right", false, "", "", "", false, {}, {}},
               {"total", true, "", "", "", false, {}, {"left", "right"}}};
    return d;
  }
  static switches switches_of(const rules::scalar_values&, const rules::arithmetic&) { return {}; }
  static std::array<tiers::coefficient, 1> coefficients(std::int64_t, const rules::scalar_values&) {
    return {tiers::coefficient(multiprecision(1.0))};
  }
  template <class N, class Evaluation>
  static std::array<N, role_count> step(Evaluation&, const switches&, const std::array<N, 1>&,
                                        const std::array<N, role_count>& x) {
    return {x[left], x[right], x[left] * x[right]};
  }
  static std::array<multiprecision, role_count> exact(
      std::int64_t, const rules::scalar_values&, const std::array<multiprecision, role_count>& x) {
    return {x[left], x[right], x[left] * x[right]};
  }
};

class NarrowTiers : public testing::TestWithParam<format_id> {
 protected:
  using resolver = tiers::resolver<product_rule>;

  // Two floats whose product is beside a tie of the format.
  resolver::input_array factors(draw& random) const {
    const format_id format = GetParam();
    const double value = formats::round(format, random.either(-30, 14));
    const auto from = formats::rounds_to(format, value);
    const auto left = static_cast<float>(random.positive(-1, 1));
    return {left, static_cast<float>(from.above / left), 0};
  }

  const rules::description about_ = product_rule::about();
  const resolver resolver_{about_, 1, {}, {}};
};
INSTANTIATE_TEST_SUITE_P(Formats, NarrowTiers, testing::Values(format_id::bf16, format_id::f16),
                         [](const auto& f) { return std::string(formats::name(f.param)); });

TEST_P(NarrowTiers, NoTwoThatDecideDisagreeAndTheAuditAgreesWithThem) {
  using rules::tier;
  draw random(seed_t{5});
  const auto& rule = resolver_.rule();
  int passed = 0, failed = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto x = factors(random);
    const double nearest = formats::round(GetParam(), static_cast<double>(x[0]) * x[1]);
    const int step = static_cast<int>(random.below(3)) - 1;
    const std::uint64_t bits = formats::encode(GetParam(), nearest);
    const auto got =
        static_cast<float>(formats::decode(GetParam(), formats::neighbour(GetParam(), bits, step)));
    const tiers::stored_value s(got, GetParam());

    const tiers::decision final = resolver_.decide(x, product_rule::total, s);
    const auto by_double = decide_by(rule.evaluate<double>(x, product_rule::total), s, tier::f64);
    const auto by_dd =
        decide_by(rule.evaluate<numbers::dd>(x, product_rule::total), s, tier::double_double);
    const multiprecision::precision_scope scope(256);
    const auto by_mpfr =
        decide_by(rule.evaluate<multiprecision>(x, product_rule::total), s, tier::mpfr_256);

    for (const tiers::decision& d : {by_double, by_dd, by_mpfr}) {
      if (undecided(d)) continue;
      EXPECT_EQ(d.passed, final.passed) << x[0] << " * " << x[1] << " = " << got;
    }
    EXPECT_FALSE(undecided(by_mpfr));
    EXPECT_NO_THROW(resolver_.audit(x, product_rule::total, s, final.passed));
    EXPECT_THROW(resolver_.audit(x, product_rule::total, s, !final.passed), rules::oracle_failure);
    ++(final.passed ? passed : failed);
  }
  EXPECT_GT(passed, 5000);
  EXPECT_GT(failed, 5000);
}

TEST_P(NarrowTiers, MpfrRoundsEveryPatternAndTieAsTheFormatDoes) {
  const formats::format_traits t = formats::traits(GetParam());
  const multiprecision::precision_scope scope(256);
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
    if (formats::is_nan(GetParam(), bits)) continue;
    const double value = formats::decode(GetParam(), bits);
    const auto from = formats::rounds_to(GetParam(), value);
    for (const double x : {value, from.below, from.above, std::nextafter(from.above, 0.0)}) {
      EXPECT_EQ(multiprecision(x).rounded(t.precision, t.emin, t.emax).to_double(),
                formats::round(GetParam(), x))
          << x;
    }
  }
}

}  // namespace
}  // namespace driftgate::tests
