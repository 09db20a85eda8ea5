// A loss scale and a skipped step, by hand: beta1 = 1/2, beta2 = 3/4 and powers of two make every
// number here exact.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "oracles/rules/scalar_roles.hpp"
#include "tests/oracles/adamw_elements.hpp"

namespace driftgate::tests {
namespace {

class Scaled : public testing::Test {
 protected:
  std::unique_ptr<rules::evaluator> oracle(double scale, double skip = 0) const {
    rules::scalar_values values = scalars_.values();
    values[rules::grad_scale] = scale;
    values[rules::found_inf] = skip;
    return rules::find_rule("adamw")->at(1, values, {}, nullptr);
  }

  // Whether `got` passes for the role of the element that starts as `before`.
  static bool passes(const rules::evaluator& by, const adamw_element& before, std::size_t role,
                     float got) {
    const float inputs[] = {before.p, before.g, before.m, before.v, before.w};
    rules::elements one;
    one.count = 1;
    for (std::size_t r = 0; r < adamw::role_count; ++r) one.before[r] = &inputs[r];
    one.after[role] = &got;
    rules::tally result;
    by.judge(one, 0, result);
    EXPECT_EQ(result[role].judged, 1u);
    return result[role].failed == 0;
  }

  adamw_scalars scalars_{.lr = 0.5, .beta1 = 0.5, .beta2 = 0.75, .eps = 0, .weight_decay = 0};
};

TEST_F(Scaled, TheGradientIsDividedByTheScaleBeforeAnythingElse) {
  // g / 8 = 4: m = 0.5 * 2 + 0.5 * 4, v = 0.75 * 0 + 0.25 * 16, p = 1 - 0.5 (3 / 0.5) / 4.
  const adamw_element before{1, 32, 2, 0, 0};
  const auto by = oracle(8);
  EXPECT_TRUE(passes(*by, before, adamw::exp_avg, 3));
  EXPECT_TRUE(passes(*by, before, adamw::exp_avg_sq, 4));
  EXPECT_TRUE(passes(*by, before, adamw::param, 0.25F));
  EXPECT_FALSE(passes(*by, before, adamw::exp_avg, 17));     // not divided
  EXPECT_FALSE(passes(*by, before, adamw::exp_avg, 1.25F));  // divided twice
  EXPECT_FALSE(passes(*by, before, adamw::exp_avg, std::nextafter(3.0F, 4.0F) * (1 + 0x1p-21F)));
}

TEST_F(Scaled, TheQuotientMayBeTakenByTheReciprocal) {
  const adamw_element before{0, 5, 0, 0, 0};
  const auto by = oracle(3);
  EXPECT_TRUE(passes(*by, before, adamw::exp_avg, 0.5F * (5.0F / 3.0F)));
  EXPECT_TRUE(passes(*by, before, adamw::exp_avg, 0.5F * (5.0F * (1.0F / 3.0F))));
  EXPECT_FALSE(passes(*by, before, adamw::exp_avg, 0.5F * (5.0F / 3.0F) * (1 + 0x1p-20F)));
}

TEST_F(Scaled, AnInfiniteGradientStaysOne) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto by = oracle(65536);
  EXPECT_TRUE(passes(*by, {0, infinity, 0, 0, 0}, adamw::exp_avg, infinity));
  EXPECT_FALSE(passes(*by, {0, infinity, 0, 0, 0}, adamw::exp_avg, 1));
}

TEST_F(Scaled, TheRawFormulaAgrees) {
  rules::scalar_values values = scalars_.values();
  values[rules::grad_scale] = 12345;
  rules::audit auditor{.seed = 1};
  const auto by = rules::find_rule("adamw")->at(1, values, {}, &auditor);
  draw random(seed_t{4});
  constexpr std::size_t count = 40'000;
  std::vector<float> g(count), zero(count), m(count);
  for (std::size_t i = 0; i < count; ++i) {
    g[i] = static_cast<float>(random.either(-10, 20));
    m[i] = 0.5F * (g[i] / 12345.0F);
  }
  rules::elements all;
  all.count = count;
  for (std::size_t r = 0; r < adamw::role_count; ++r) all.before[r] = zero.data();
  all.before[adamw::grad] = g.data();
  all.after[adamw::exp_avg] = m.data();
  rules::tally result;
  by->judge(all, 0, result);  // throws where the audit disagrees
  EXPECT_EQ(result[adamw::exp_avg].failed, 0u);
  EXPECT_GT(result[adamw::exp_avg].audited, 10u);
}

TEST_F(Scaled, ASkippedStepKeepsEveryBit) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const adamw_element before{1, nan, -0.0F, nan, 0};
  const auto by = oracle(8, 1);
  EXPECT_TRUE(passes(*by, before, adamw::param, 1));
  EXPECT_TRUE(passes(*by, before, adamw::exp_avg, -0.0F));
  EXPECT_TRUE(passes(*by, before, adamw::exp_avg_sq, nan));
  EXPECT_FALSE(passes(*by, before, adamw::param, std::nextafter(1.0F, 0.0F)));
  EXPECT_FALSE(passes(*by, before, adamw::exp_avg, 0.0F));
  EXPECT_FALSE(passes(*by, before, adamw::exp_avg_sq, std::copysign(nan, -1.0F)));
}

TEST_F(Scaled, AScaleThatIsNoneIsRefused) {
  EXPECT_THROW(oracle(0), std::invalid_argument);
  EXPECT_THROW(oracle(-1), std::invalid_argument);
  EXPECT_THROW(oracle(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

}  // namespace
}  // namespace driftgate::tests
