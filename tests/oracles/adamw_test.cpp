// The oracle of AdamW: proved by hand on tiny data, by reported faults, by right and wrong kernels
// on random data, and at the special values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "oracles/numbers/multiprecision.hpp"
#include "tests/oracles/adamw_elements.hpp"

namespace driftgate::tests {
namespace {

using numbers::dd;
using real = numbers::multiprecision;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr std::size_t outputs[] = {adamw::exp_avg, adamw::exp_avg_sq, adamw::max_exp_avg_sq,
                                   adamw::param};

void expect_exactly(const dd& got, double expected) {
  EXPECT_EQ(got.hi, expected);
  EXPECT_EQ(got.lo, 0);
}

void expect_passes(const adamw_scalars& s, const adamw_element& before, std::size_t role,
                   double got) {
  EXPECT_TRUE(adamw_oracle(s).passes(before, role, static_cast<float>(got))) << got;
}
void expect_fails(const adamw_scalars& s, const adamw_element& before, std::size_t role,
                  double got) {
  EXPECT_FALSE(adamw_oracle(s).passes(before, role, static_cast<float>(got))) << got;
}

// ---- by hand

// beta1 = 1/2, beta2 = 3/4, lr = 1/2, weight_decay = 1/4, eps = 1/2, all exact.
adamw_scalars dyadic() {
  adamw_scalars s;
  s.lr = 0.5;
  s.beta1 = 0.5;
  s.beta2 = 0.75;
  s.eps = 0.5;
  s.weight_decay = 0.25;
  return s;
}

TEST(AdamwByHand, TheFirstStepFromZeroIsExact) {
  // m = 1/2 * 2 = 1, corrected 1 / (1/2) = 2; v = 1/4 * 4 = 1, corrected 1 / (1/4) = 4, root 2.
  // p = (1 - 1/8) 4 - 1/2 * 2 / (2 + 1/2) = 3.5 - 0.4
  const adamw_oracle oracle(dyadic());
  const adamw_element before{4, 2, 0, 0, 0};
  expect_exactly(oracle.exact(before, adamw::exp_avg), 1);
  expect_exactly(oracle.exact(before, adamw::exp_avg_sq), 1);
  const dd p = oracle.exact(before, adamw::param);
  EXPECT_EQ(p.hi, 3.1);
  EXPECT_NE(p.lo, 0) << "3.1 is not a double";
}

TEST(AdamwByHand, TheSecondStepIsExact) {
  // m = 1/2 * 1 + 1/2 * 5 = 3, corrected 3 / (3/4) = 4; v = 3/4 * 16 + 1/4 * 25 = 18.25.
  adamw_scalars s = dyadic();
  s.step = 2;
  const adamw_oracle oracle(s);
  expect_exactly(oracle.exact({0, 5, 1, 16, 0}, adamw::exp_avg), 3);
  expect_exactly(oracle.exact({0, 5, 1, 16, 0}, adamw::exp_avg_sq), 18.25);
  // m = 3 as above, 1 / (1 - 9/16) = 16/7. For v = 3/4 * 28 + 1/4 * 28 = 28 ... with g^2 = 25 that
  // is v = 3/4 * 29 + 1/4 * 25 = 28, corrected 64, root 8, and p = 7/8 * 8 - 1/2 * 4 / 8.5.
  const dd p = oracle.exact({8, 5, 1, 29, 0}, adamw::param);
  EXPECT_EQ(p.hi, 7 - 2 / 8.5);
}

TEST(AdamwByHand, ADyadicStepIsExactInEveryOutput) {
  // eps = 0: p = 7/8 * 8 - 1/2 * 4 / 8 = 6.75
  adamw_scalars s = dyadic();
  s.step = 2;
  s.eps = 0;
  const adamw_oracle oracle(s);
  const adamw_element before{8, 5, 1, 29, 0};
  expect_exactly(oracle.exact(before, adamw::exp_avg), 3);
  expect_exactly(oracle.exact(before, adamw::exp_avg_sq), 28);
  EXPECT_EQ(oracle.exact(before, adamw::param).hi, 6.75);
}

TEST(AdamwByHand, MaximizeTakesTheOppositeGradient) {
  adamw_scalars s = dyadic();
  s.maximize = true;
  const adamw_oracle oracle(s);
  const adamw_element before{4, 2, 0, 0, 0};
  expect_exactly(oracle.exact(before, adamw::exp_avg), -1);
  expect_exactly(oracle.exact(before, adamw::exp_avg_sq), 1);
  EXPECT_EQ(oracle.exact(before, adamw::param).hi, 3.9);  // 3.5 + 0.4
}

TEST(AdamwByHand, AmsgradKeepsTheLargestUncorrectedSecondMoment) {
  // v = 1; w = max(4, 1) = 4, corrected 16, root 4: p = 3.5 - 1/2 * 2 / 4.5.
  adamw_scalars s = dyadic();
  s.amsgrad = true;
  const adamw_oracle oracle(s);
  const adamw_element before{4, 2, 0, 0, 4};
  expect_exactly(oracle.exact(before, adamw::exp_avg_sq), 1);
  expect_exactly(oracle.exact(before, adamw::max_exp_avg_sq), 4);
  EXPECT_EQ(oracle.exact(before, adamw::param).hi, 3.5 - 1 / 4.5);
  // From w = 1/4 the new moment is the larger: as without amsgrad.
  expect_exactly(oracle.exact({4, 2, 0, 0, 0.25F}, adamw::max_exp_avg_sq), 1);
  EXPECT_EQ(oracle.exact({4, 2, 0, 0, 0.25F}, adamw::param).hi, 3.1);
}

TEST(AdamwByHand, WhatIsExactInFloatHasNoTolerance) {
  // beta1 = beta2 = 0: m = g, and nothing is rounded.
  adamw_scalars s = dyadic();
  s.beta1 = 0;
  s.beta2 = 0;
  const adamw_element before{4, 3, 7, 5, 0};
  expect_passes(s, before, adamw::exp_avg, 3);
  expect_fails(s, before, adamw::exp_avg, std::nextafter(3.0F, 4.0F));
  // lr = 0: p stays, to the bit.
  s.lr = 0;
  expect_passes(s, before, adamw::param, 4);
  expect_fails(s, before, adamw::param, std::nextafter(4.0F, 5.0F));
  // An unchanged maximum.
  s.amsgrad = true;
  expect_passes(s, {4, 3, 7, 5, 100}, adamw::max_exp_avg_sq, 100);
  expect_fails(s, {4, 3, 7, 5, 100}, adamw::max_exp_avg_sq, std::nextafter(100.0F, 0.0F));
}

TEST(AdamwByHand, ScalarsOutsideTheirRangeAreRejected) {
  const auto at = [](auto change) {
    adamw_scalars s;
    change(s);
    adamw_oracle{s};
  };
  EXPECT_THROW(at([](adamw_scalars& s) { s.step = 0; }), std::invalid_argument);
  EXPECT_THROW(at([](adamw_scalars& s) { s.beta1 = 1; }), std::invalid_argument);
  EXPECT_THROW(at([](adamw_scalars& s) { s.beta2 = -0.5; }), std::invalid_argument);
  EXPECT_THROW(at([](adamw_scalars& s) { s.lr = -1; }), std::invalid_argument);
  EXPECT_THROW(at([](adamw_scalars& s) { s.lr = infinity; }), std::invalid_argument);
  EXPECT_THROW(at([](adamw_scalars& s) { s.eps = nan; }), std::invalid_argument);
  EXPECT_THROW(at([](adamw_scalars& s) { s.weight_decay = -1; }), std::invalid_argument);
  EXPECT_THROW(rules::find_rule("adamw")->at(1, {{"lr", 1}}, {}, nullptr), std::invalid_argument);
}

// ---- reported faults: the right value passes, the wrong one (as reported) fails

adamw_scalars usual(double lr, std::int64_t step) {
  adamw_scalars s;
  s.lr = lr;
  s.weight_decay = 0;
  s.step = step;
  return s;
}

TEST(AdamwFaults, BiasCorrectionOneStepTooFar) {
  const adamw_element before{0, 1, 0, 0, 0};
  expect_passes(usual(1, 1), before, adamw::param, -1);
  expect_fails(usual(1, 1), before, adamw::param, -0.7441);
}

TEST(AdamwFaults, AStepCountedOncePerTensor) {
  const adamw_element before{0, 1, 0, 0, 0};
  expect_passes(usual(1, 1), before, adamw::param, -1);
  expect_fails(usual(1, 1), before, adamw::param, -0.5811);
}

TEST(AdamwFaults, APowerByARunningProductInSingle) {
  const std::int64_t t = 100'000;
  adamw_scalars s = usual(1, t);
  s.beta2 = 1 - 0x1p-16;
  float product = 1;
  for (std::int64_t i = 0; i < t; ++i) product *= static_cast<float>(s.beta2);
  const adamw_element before{0, 1, 1, 1, 0};
  const double right = 1 - std::pow(s.beta2, static_cast<double>(t));
  expect_passes(s, before, adamw::param, -std::sqrt(right));
  expect_fails(s, before, adamw::param, -std::sqrt(1 - product));
}

// g = 0.1 at every step from zero; the kernel believes the counter that `count` gives.
struct constant_gradient_run {
  double moved = 0;
  std::int64_t first_failure = 0;
};
constant_gradient_run run_with(std::int64_t (*count)(std::int64_t)) {
  constant_gradient_run run;
  adamw_element e{0, 0.1F, 0, 0, 0};
  for (std::int64_t t = 1; t <= 1000; ++t) {
    const adamw_element before = e;
    e = plain_step(adamw_floats(usual(1e-3, count(t))), e);
    const adamw_oracle oracle(usual(1e-3, t));
    const bool passed = oracle.passes(before, adamw::param, e.p);
    if (!passed && run.first_failure == 0) run.first_failure = t;
  }
  run.moved = e.p;
  return run;
}

TEST(AdamwFaults, AStepCounterThatStopsAt256) {
  const constant_gradient_run right = run_with([](std::int64_t t) { return t; });
  EXPECT_EQ(right.first_failure, 0);
  EXPECT_EQ(std::round(right.moved * 1000), -1000);
  const constant_gradient_run stopped =
      run_with([](std::int64_t t) { return std::min<std::int64_t>(t, 256); });
  EXPECT_EQ(stopped.first_failure, 257);
  EXPECT_EQ(std::round(stopped.moved * 1000), -796);
}

TEST(AdamwFaults, AStepCounterInSingleThatStopsAt2To24) {
  // beta2 = 1 - 2^-26: at 2^25 steps 1 - beta2^t is 1 - e^-1/2 = 0.393, at 2^24 it is 0.221.
  adamw_scalars s = usual(1, 1 << 25);
  s.beta2 = 1 - 0x1p-26;
  expect_passes(s, {0, 1, 1, 1, 0}, adamw::param, -std::sqrt(1 - std::pow(s.beta2, 0x1p25)));
  expect_fails(s, {0, 1, 1, 1, 0}, adamw::param, -std::sqrt(1 - std::pow(s.beta2, 0x1p24)));
}

TEST(AdamwFaults, ADerivedValueWrittenBackIntoTheState) {
  expect_passes(usual(1, 1), {0, 1, 0, 0, 0}, adamw::exp_avg, 0.1);
  expect_fails(usual(1, 1), {0, 1, 0, 0, 0}, adamw::exp_avg, 1);
  expect_passes(usual(1, 2), {0, 0, 0.1F, 0, 0}, adamw::exp_avg, 0.09);
  expect_fails(usual(1, 2), {0, 0, 0.1F, 0, 0}, adamw::exp_avg, 0.9);
}

TEST(AdamwFaults, AmsgradWithTheMaximumOfTheCorrectedMoment) {
  // g = 1 at t = 1, then 0: at t = 10 m = 0.1 * 0.9^9, w = 0.001.
  adamw_scalars s = usual(1, 10);
  s.eps = 0;
  s.amsgrad = true;
  const auto m = static_cast<float>(0.1 * std::pow(0.9, 8));
  const auto v = static_cast<float>(0.001 * std::pow(0.999, 8));
  const adamw_element before{0, 0, m, v, 0.001F};
  const double m_hat = 0.9 * m / (1 - std::pow(0.9, 10));
  const double right = m_hat / std::sqrt(0.001F / (1 - std::pow(0.999, 10)));
  EXPECT_EQ(std::round(right * 1e5), 18768);
  EXPECT_EQ(std::round(m_hat * 1e5), 5948);
  expect_passes(s, before, adamw::param, -right);
  expect_fails(s, before, adamw::param, -m_hat);  // sqrt of the corrected maximum is 1
}

TEST(AdamwFaults, EpsThatIsNotScaledWithTheCorrection) {
  adamw_scalars s = usual(1, 1);
  const auto g = static_cast<float>(s.eps);
  s.eps = g;  // exactly |g|
  expect_passes(s, {0, g, 0, 0, 0}, adamw::param, -0.5);
  expect_fails(s, {0, g, 0, 0, 0}, adamw::param, -0.0307);
}

TEST(AdamwFaults, EpsInsideTheRoot) {
  adamw_scalars s = usual(1, 1);
  const float g = 1e-6F;
  expect_passes(s, {0, g, 0, 0, 0}, adamw::param, -double{g} / (double{g} + s.eps));
  expect_fails(s, {0, g, 0, 0, 0}, adamw::param, -0.0100);
}

TEST(AdamwFaults, EpsThatIsLostAndAGradientOfZero) {
  expect_passes(usual(1, 1), {0, 0, 0, 0, 0}, adamw::param, 0);
  expect_fails(usual(1, 1), {0, 0, 0, 0, 0}, adamw::param, nan);
}

TEST(AdamwFaults, Beta2InTheWrongPlace) {
  adamw_scalars s = usual(1, 1);
  s.beta2 = 0.99;
  expect_passes(s, {0, 1, 0, 0, 0}, adamw::exp_avg_sq, 0.01);
  expect_fails(s, {0, 1, 0, 0, 0}, adamw::exp_avg_sq, 1);
}

TEST(AdamwFaults, AdamThatIsNotAdamw) {
  adamw_scalars s = usual(1e-3, 1);
  s.weight_decay = 0.1;
  const adamw_element before{1, 0, 0, 0, 0};
  expect_passes(s, before, adamw::exp_avg, 0);
  expect_fails(s, before, adamw::exp_avg, 0.01);
  expect_passes(s, before, adamw::exp_avg_sq, 0);
  expect_fails(s, before, adamw::exp_avg_sq, 1e-5);
  expect_passes(s, before, adamw::param, 0.9999);
  expect_fails(s, before, adamw::param, 0.999);
}

TEST(AdamwFaults, DecayAfterTheStep) {
  adamw_scalars s = usual(0.1, 1);
  s.weight_decay = 0.1;
  s.eps = 0;
  expect_passes(s, {1, 1, 0, 0, 0}, adamw::param, 0.890);
  expect_fails(s, {1, 1, 0, 0, 0}, adamw::param, 0.891);
}

TEST(AdamwFaults, DecayThatIsRoundedAway) {
  adamw_scalars s = usual(1e-3, 1);
  s.weight_decay = 0.01;
  expect_passes(s, {1, 0, 0, 0, 0}, adamw::param, 0.99999);
  expect_fails(s, {1, 0, 0, 0, 0}, adamw::param, 1);
}

TEST(AdamwFaults, AnIgnoredMaximize) {
  adamw_scalars s = usual(1, 1);
  s.maximize = true;
  expect_passes(s, {0, 1, 0, 0, 0}, adamw::param, 1);
  expect_fails(s, {0, 1, 0, 0, 0}, adamw::param, -1);
  expect_fails(s, {0, 1, 0, 0, 0}, adamw::exp_avg, 0.1);
}

TEST(AdamwFaults, MomentsThatUnderflowInANarrowerType) {
  // v = 1e-3 * 1e-6 is below half the smallest f16.
  expect_passes(usual(1, 1), {0, 1e-3F, 0, 0, 0}, adamw::exp_avg_sq, 1e-9);
  expect_fails(usual(1, 1), {0, 1e-3F, 0, 0, 0}, adamw::exp_avg_sq, 0);
}

TEST(AdamwFaults, ASecondMomentsWeightInSingleUnlessTheContractSaysSo) {
  const adamw_element before{0, 1, 0, 0, 0};
  const float in_single = 1.0F - 0.999F;
  expect_passes(usual(1, 1), before, adamw::exp_avg_sq, 1 - 0.999);
  expect_fails(usual(1, 1), before, adamw::exp_avg_sq, in_single);
  rules::arithmetic how;
  how.float_coefficients = true;
  const adamw_oracle float_coefficients(usual(1, 1), nullptr, how);
  EXPECT_TRUE(float_coefficients.passes(before, adamw::exp_avg_sq, in_single));
  EXPECT_FALSE(float_coefficients.passes(before, adamw::exp_avg_sq, static_cast<float>(1 - 0.999)));
}

// ---- random data

// Hyperparameters over the ranges that are claimed: lr 2^-14..1, beta 0..1 - 2^-14, t to 2^24,
// lr * weight_decay up to 1/2, eps 0..1.
double random_beta(draw& random) {
  static constexpr double some[] = {0, 0.3, 0.5, 0.875, 0.9, 0.95, 0.99, 0.999, 1 - 0x1p-14};
  if (random.one_in(2)) return random.of(some);
  return random.one_in(2) ? random.unit() : 1 - random.positive(-14, 0) * 0.5;
}

adamw_scalars random_scalars(draw& random) {
  static constexpr std::int64_t steps[] = {1, 2, 3, 10, 100, 1000, 4095, 100'000, 1 << 24};
  static constexpr double epsilons[] = {0, 1e-15, 1e-8, 1e-6, 1e-3, 1};
  adamw_scalars s;
  s.lr = random.positive(-14, 0);
  s.beta1 = random_beta(random);
  s.beta2 = random_beta(random);
  s.step = random.one_in(2) ? random.of(steps) : std::int64_t{1} + random.below(1 << 24);
  s.eps = random.one_in(2) ? random.of(epsilons) : random.positive(-60, 0);
  s.weight_decay = random.one_in(3) ? 0 : random.positive(-14, -1) / s.lr;
  s.amsgrad = random.one_in(3);
  s.maximize = random.one_in(4);
  return s;
}

// Elements over wide ranges: as in training, one part hidden, cancelling moments, all binades
// between 2^-60 and 2^60, subnormals and zeros.
adamw_element random_element(draw& random, const adamw_scalars& s) {
  adamw_element e = training_element(random);
  const float g = s.maximize ? -e.g : e.g;
  const auto wide = [&] { return static_cast<float>(random.either(-60, 60)); };
  const auto tiny = [&] { return static_cast<float>(random.either(-150, -110)); };
  switch (random.below(10)) {
    case 0:
      e.p = 0;
      break;
    case 1:
      e.m = e.g = 0;
      break;
    case 2:
      if (s.beta1 > 0) e.m = static_cast<float>(-(1 - s.beta1) / s.beta1 * g);
      break;
    case 3:
      e.m = static_cast<float>(g * (1 + random.either(-24, -4)));
      e.v = g * g;
      break;
    case 4:
      e = {wide(), wide(), wide(), std::fabs(wide()), std::fabs(wide())};
      break;
    case 5:
      e = {tiny(), tiny(), tiny(), std::fabs(tiny()), std::fabs(tiny())};
      break;
    case 6:
      e.p = static_cast<float>(random.either(-60, -30));
      e.m = static_cast<float>(random.either(0, 20));
      break;
    case 7:
      e.m = static_cast<float>(random.either(-40, -20)) * e.g;
      break;
    default:
      break;
  }
  return e;
}

// The maximum, the denominator of the update and the rest are the same words in most orders.
float second_moment(const adamw_floats& c, adamw_element& e) {
  if (c.amsgrad) e.w = nan_keeping_max(e.w, e.v);
  return c.amsgrad ? e.w : e.v;
}
float gradient(const adamw_floats& c, const adamw_element& e) {
  return c.maximize ? -e.g : e.g;
}

adamw_element fused(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  e.m = std::fma(c.beta1, e.m, c.one_minus_beta1 * g);
  e.v = std::fma(c.beta2, e.v, (c.one_minus_beta2 * g) * g);
  const float denominator =
      std::fma(std::sqrt(second_moment(c, e)), c.inverse_root_correction2, c.eps);
  e.p = std::fma(c.keep, e.p, -(c.step_size * e.m) / denominator);
  return e;
}

// As PyTorch over lists of tensors: lerp (from the old end below a weight of 1/2, from the new end
// above), addcmul, addcdiv.
adamw_element lerping(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  e.p = e.p * c.keep;
  e.m = c.one_minus_beta1 < 0.5F ? e.m + c.one_minus_beta1 * (g - e.m) : g - (g - e.m) * c.beta1;
  e.v = c.beta2 * e.v + c.one_minus_beta2 * (g * g);
  const float denominator = std::sqrt(second_moment(c, e)) / c.root_correction2 + c.eps;
  e.p = e.p - c.step_size * (e.m / denominator);
  return e;
}

// The same lerp with one rounding a product and sum, of the second moment, too.
adamw_element lerping_fused(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  const auto lerp = [](float mean, float x, float beta, float one_minus_beta) {
    return one_minus_beta < 0.5F ? std::fma(one_minus_beta, x - mean, mean)
                                 : std::fma(-beta, x - mean, x);
  };
  e.m = lerp(e.m, g, c.beta1, c.one_minus_beta1);
  e.v = lerp(e.v, g * g, c.beta2, c.one_minus_beta2);
  const float denominator = std::sqrt(second_moment(c, e) / c.correction2) + c.eps;
  e.p = e.p - std::fma(c.lr_decay, e.p, c.step_size / denominator * e.m);
  return e;
}

// The equations as they are printed: the corrected moments first.
adamw_element corrected_first(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  e.m = c.beta1 * e.m + c.one_minus_beta1 * g;
  e.v = c.beta2 * e.v + c.one_minus_beta2 * (g * g);
  const float m_hat = e.m / c.correction1;
  const float v_hat = second_moment(c, e) / c.correction2;
  e.p = e.p - c.lr * (c.weight_decay * e.p) - c.lr * (m_hat / (std::sqrt(v_hat) + c.eps));
  return e;
}

// Kingma and Ba's efficient order: the correction goes into the step size, and into eps.
adamw_element paper_order(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  e.m = std::fma(c.one_minus_beta1, g, c.beta1 * e.m);
  e.v = std::fma(c.one_minus_beta2 * g, g, c.beta2 * e.v);
  const float update = c.paper_step_size * e.m / (std::sqrt(second_moment(c, e)) + c.paper_eps);
  e.p = std::fma(-c.lr_decay, e.p, e.p) - update;
  return e;
}

adamw_element by_reciprocals(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  e.m = c.beta1 * e.m + c.one_minus_beta1 * g;
  e.v = c.beta2 * e.v + (c.one_minus_beta2 * g) * g;
  const float m_hat = e.m * c.inverse_correction1;
  const float v_hat = second_moment(c, e) * c.inverse_correction2;
  const float inverse = 1.0F / (std::sqrt(v_hat) + c.eps);
  e.p = c.keep * e.p - (c.lr * m_hat) * inverse;
  return e;
}

// The decay is added to the update, which the learning rate then multiplies.
adamw_element decay_in_the_update(const adamw_floats& c, adamw_element e) {
  const float g = gradient(c, e);
  e.m = c.beta1 * e.m + c.one_minus_beta1 * g;
  e.v = c.beta2 * e.v + (c.one_minus_beta2 * g) * g;
  const float m_hat = e.m / c.correction1;
  const float v_hat = second_moment(c, e) / c.correction2;
  const float update = m_hat / (std::sqrt(v_hat) + c.eps);
  e.p = e.p - c.lr * (update + c.weight_decay * e.p);
  return e;
}

// Everything in double, rounded when it is stored; the update uses the moments before that.
adamw_element double_inside(const adamw_scalars& s, const adamw_element& e) {
  const double g = s.maximize ? -double{e.g} : double{e.g};
  const auto t = static_cast<double>(s.step);
  const double m = s.beta1 * e.m + (1 - s.beta1) * g;
  const double v = s.beta2 * e.v + (1 - s.beta2) * g * g;
  const double w = s.amsgrad ? std::max(double{e.w}, v) : v;
  const double root = std::sqrt(w / (1 - std::pow(s.beta2, t)));
  const double update = s.lr * (m / (1 - std::pow(s.beta1, t))) / (root + s.eps);
  const double p = (1 - s.lr * s.weight_decay) * e.p - update;
  return {static_cast<float>(p), e.g, static_cast<float>(m), static_cast<float>(v),
          s.amsgrad ? static_cast<float>(w) : e.w};
}

struct right_kernel {
  const char* name;
  adamw_element (*in_float)(const adamw_floats&, adamw_element);  // null: double_inside
};
const right_kernel right_kernels[] = {
    {"plain", plain_step},
    {"fused", fused},
    {"lerping", lerping},
    {"lerping_fused", lerping_fused},
    {"corrected_first", corrected_first},
    {"paper_order", paper_order},
    {"by_reciprocals", by_reciprocals},
    {"decay_in_the_update", decay_in_the_update},
    {"double_inside", nullptr},
};

void step_all(const right_kernel& k, const adamw_scalars& s, adamw_columns& columns) {
  const adamw_floats c(s);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const adamw_element e = columns.before(i);
    columns.set_after(i, k.in_float ? k.in_float(c, e) : double_inside(s, e));
  }
}

// What a failure looks like, in words.
std::string describe_first_failure(const adamw_oracle& oracle, const adamw_columns& columns,
                                   const adamw_scalars& s, const rules::tally& t) {
  for (const std::size_t role : outputs) {
    if (t[role].failed == 0) continue;
    const std::size_t i = t[role].first_failure;
    const auto d = oracle.evaluator().describe(columns.view(s.amsgrad), i, role);
    const adamw_element e = columns.before(i);
    char text[600];
    std::snprintf(
        text, sizeof text,
        "role %zu, got %s, exact %s, allowed %s, ratio %g; p %a g %a m %a v %a w %a; lr %a "
        "beta1 %a beta2 %a eps %a weight_decay %a step %ld amsgrad %d maximize %d",
        role, d.got.c_str(), d.exact.c_str(), d.allowed.c_str(), d.ratio, e.p, e.g, e.m, e.v, e.w,
        s.lr, s.beta1, s.beta2, s.eps, s.weight_decay, long(s.step), s.amsgrad, s.maximize);
    return text;
  }
  return "";
}

// 160 random hyperparameters with 16384 elements each: 2.6 million of every output a kernel.
constexpr int random_cases = 160;
constexpr std::size_t elements_a_case = 16384;

rules::tally judge_right_kernel(const right_kernel& k, int cases, seed_t seed) {
  rules::tally total;
  adamw_columns columns(elements_a_case);
  for (int i = 0; i < cases; ++i) {
    draw random(seed_t{static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(i)});
    const adamw_scalars s = random_scalars(random);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      columns.set_before(e, random_element(random, s));
    }
    step_all(k, s, columns);
    const adamw_oracle oracle(s);
    const rules::tally t = oracle.judge(columns);
    const std::string failure = describe_first_failure(oracle, columns, s, t);
    EXPECT_EQ(failure, "") << k.name << ", case " << i;
    for (const std::size_t role : outputs) total[role].add(t[role]);
    if (!failure.empty()) break;
  }
  return total;
}

void PrintTo(const right_kernel& k, std::ostream* out) {
  *out << k.name;
}

class RightKernel : public testing::TestWithParam<right_kernel> {};
INSTANTIATE_TEST_SUITE_P(Orders, RightKernel, testing::ValuesIn(right_kernels),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(RightKernel, IsNeverFlagged) {
  const rules::tally t = judge_right_kernel(GetParam(), random_cases, seed_t{1000});
  for (const std::size_t role : outputs) EXPECT_EQ(t[role].failed, 0U);
  for (const std::size_t role : {adamw::exp_avg, adamw::exp_avg_sq, adamw::param}) {
    EXPECT_EQ(t[role].judged, random_cases * elements_a_case);
  }
}

TEST(AdamwBudget, IsUsedToMoreThanAHalfByTheRightKernels) {
  rules::tally all;
  for (const right_kernel& k : right_kernels) {
    const rules::tally t = judge_right_kernel(k, 20, seed_t{5000});
    for (const std::size_t role : outputs) all[role].add(t[role]);
  }
  for (const std::size_t role : {adamw::exp_avg, adamw::exp_avg_sq, adamw::param}) {
    EXPECT_GE(all[role].worst.ratio, 0.5) << role;  // the tightness that docs/ claims
    EXPECT_LE(all[role].worst.ratio, 1) << role;
  }
}

// ---- wrong kernels

struct wrong_kernel {
  const char* name;
  std::size_t role;                                 // the output that must be failed
  void (*arrange)(adamw_scalars&, adamw_element&);  // makes the fault visible
  adamw_element (*step)(const adamw_scalars&, adamw_element, std::size_t index);
};

// The plain kernel with one coefficient, or one scalar, changed.
template <class Change>
adamw_element plain_with(const adamw_scalars& s, const adamw_element& e, Change change) {
  adamw_floats c(s);
  change(c);
  return plain_step(c, e);
}
adamw_element plain_at(adamw_scalars s, const adamw_element& e) {
  return plain_step(adamw_floats(s), e);
}

void as_in_training(adamw_scalars& s, adamw_element&) {
  s.step = 10;
}
void update_visible(adamw_scalars& s, adamw_element& e) {
  s.step = 10;
  e.p = 0;
}
void decay_visible(adamw_scalars& s, adamw_element&) {
  s.lr = 0.1;
  s.weight_decay = 0.1;
}
void no_decay(adamw_scalars& s, adamw_element&) {
  s.weight_decay = 0;
}
void old_mean_large(adamw_scalars& s, adamw_element& e) {
  s.beta1 = 0.01;
  e.m = 1000 * e.g;
}
void all_subnormal(adamw_scalars&, adamw_element& e) {
  e.m *= 0x1p-120F;
  e.g *= 0x1p-120F;
}

const wrong_kernel wrong_kernels[] = {
    {"one_minus_beta2_in_single", adamw::exp_avg_sq, as_in_training,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       return plain_with(s, e, [](auto& c) { c.one_minus_beta2 = 1 - c.beta2; });
     }},
    {"one_minus_beta1_in_single", adamw::exp_avg, as_in_training,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       return plain_with(s, e, [](auto& c) { c.one_minus_beta1 = 1 - c.beta1; });
     }},
    {"lerp_with_one_minus_its_weight_in_single", adamw::exp_avg, old_mean_large,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       const adamw_floats c(s);
       e.m = e.g - (e.g - e.m) * (1 - c.one_minus_beta1);
       return e;
     }},
    {"lerp_from_the_far_end", adamw::exp_avg, old_mean_large,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       const adamw_floats c(s);
       e.m = e.m + c.one_minus_beta1 * (e.g - e.m);
       return e;
     }},
    {"betas_swapped", adamw::exp_avg, as_in_training,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_scalars swapped = s;
       std::swap(swapped.beta1, swapped.beta2);
       return plain_at(swapped, e);
     }},
    {"corrected_moment_written_back", adamw::exp_avg, as_in_training,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_at(s, e);
       y.m /= adamw_floats(s).correction1;
       return y;
     }},
    {"first_moment_kept_in_bf16", adamw::exp_avg, as_in_training,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_at(s, e);
       y.m = static_cast<float>(formats::round(formats::format_id::bf16, y.m));
       return y;
     }},
    {"subnormals_flushed", adamw::exp_avg, all_subnormal,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_at(s, e);
       if (std::fabs(y.m) < std::numeric_limits<float>::min()) y.m = 0;
       return y;
     }},
    {"exp_avg_sq_one_ulp_high", adamw::exp_avg_sq, as_in_training,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_at(s, e);
       y.v = std::nextafter(y.v, infinity);
       return y;
     }},
    {"step_one_behind", adamw::param, update_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_scalars late = s;
       --late.step;
       return plain_at(late, e);
     }},
    {"step_one_ahead", adamw::param, update_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_scalars early = s;
       ++early.step;
       return plain_at(early, e);
     }},
    {"powers_in_single", adamw::param,
     [](adamw_scalars& s, adamw_element& e) {
       s.step = 1000;
       e.p = 0;
     },
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_scalars single = s;
       single.beta2 = static_cast<float>(s.beta2);
       return plain_with(s, e, [&](auto& c) {
         c.root_correction2 = std::sqrt(1 - static_cast<float>(std::pow(single.beta2, s.step)));
       });
     }},
    {"decay_after_the_update", adamw::param, decay_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_with(s, e, [](auto& c) { c.keep = 1; });
       y.p *= adamw_floats(s).keep;
       return y;
     }},
    {"no_decay", adamw::param, decay_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       return plain_with(s, e, [](auto& c) { c.keep = 1; });
     }},
    {"no_decay_in_one_element_of_1024", adamw::param, decay_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t index) {
       return plain_with(s, e, [&](auto& c) { c.keep = index % 1024 == 1023 ? 1 : c.keep; });
     }},
    {"decay_in_the_gradient", adamw::exp_avg, decay_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       e.g += static_cast<float>(s.weight_decay) * e.p;
       return plain_with(s, e, [](auto& c) { c.keep = 1; });
     }},
    {"decay_without_the_learning_rate", adamw::param, decay_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       return plain_with(s, e, [](auto& c) { c.keep = 1 - c.weight_decay; });
     }},
    {"learning_rate_low_by_a_millionth", adamw::param, update_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_scalars low = s;
       low.lr *= 1 - 1e-6;
       return plain_at(low, e);
     }},
    {"parameter_truncated", adamw::param, no_decay,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_at(s, e);
       const double update = double{plain_at(s, {0, e.g, e.m, e.v, e.w}).p};
       const double exact = e.p + update;
       const auto rounded = static_cast<float>(exact);
       y.p = std::fabs(rounded) > std::fabs(exact) ? std::nextafter(rounded, 0.0F) : rounded;
       return y;
     }},
    {"eps_inside_the_root", adamw::param, update_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_floats c(s);
       adamw_element y = plain_step(c, e);
       y.p = c.keep * e.p - c.step_size * y.m / std::sqrt(y.v / c.correction2 + c.eps);
       return y;
     }},
    {"eps_before_the_correction", adamw::param, update_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_floats c(s);
       adamw_element y = plain_step(c, e);
       y.p = c.keep * e.p - c.step_size * y.m / ((std::sqrt(y.v) + c.eps) / c.root_correction2);
       return y;
     }},
    {"update_from_the_old_moment", adamw::param, update_visible,
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_floats c(s);
       adamw_element y = plain_step(c, e);
       y.p = c.keep * e.p - c.step_size * e.m / (std::sqrt(y.v) / c.root_correction2 + c.eps);
       return y;
     }},
    {"maximize_ignored", adamw::param, [](adamw_scalars& s, adamw_element&) { s.maximize = true; },
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       return plain_with(s, e, [](auto& c) { c.maximize = false; });
     }},
    {"amsgrad_ignored", adamw::param, [](adamw_scalars& s, adamw_element&) { s.amsgrad = true; },
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       return plain_with(s, e, [](auto& c) { c.amsgrad = false; });
     }},
    {"amsgrad_of_the_corrected_moment", adamw::max_exp_avg_sq,
     [](adamw_scalars& s, adamw_element&) { s.amsgrad = true; },
     [](const adamw_scalars& s, adamw_element e, std::size_t) {
       adamw_element y = plain_at(s, e);
       y.w = nan_keeping_max(e.w, y.v / adamw_floats(s).correction2);
       return y;
     }},
};

void PrintTo(const wrong_kernel& k, std::ostream* out) {
  *out << k.name;
}

class WrongKernel : public testing::TestWithParam<wrong_kernel> {};
INSTANTIATE_TEST_SUITE_P(Faults, WrongKernel, testing::ValuesIn(wrong_kernels),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(WrongKernel, IsFailed) {
  const wrong_kernel& k = GetParam();
  draw random(seed_t{30});
  adamw_scalars s;
  adamw_columns columns(4096);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    adamw_element e = training_element(random);
    k.arrange(s, e);
    columns.set_before(i, e);
    columns.set_after(i, k.step(s, e, i));
  }
  const rules::tally t = adamw_oracle(s).judge(columns);
  EXPECT_GT(t[k.role].failed, 0U) << "the worst ratio is " << t[k.role].worst.ratio;
  RecordProperty("ratio", std::to_string(t[k.role].worst.ratio));
  RecordProperty("failed", std::to_string(t[k.role].failed));
}

// ---- the audit: the raw formula against the template

TEST(AdamwAudit, TheRawFormulaAgreesOnRandomCases) {
  rules::audit auditor{77, ~std::uint64_t{0}};
  std::uint64_t audited = 0;
  adamw_columns columns(elements_a_case);
  for (int i = 0; i < random_cases; ++i) {
    draw random(seed_t{2000 + static_cast<std::uint64_t>(i)});
    const adamw_scalars s = random_scalars(random);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      columns.set_before(e, random_element(random, s));
    }
    // A wrong kernel every other time, so that failures are audited, too.
    adamw_scalars used = s;
    if (i % 2 == 1) used.lr *= 1 + 0x1p-20;
    step_all(right_kernels[i % std::size(right_kernels)], used, columns);
    const adamw_oracle oracle(s, &auditor);
    ASSERT_NO_THROW({
      const rules::tally t = oracle.judge(columns, static_cast<std::uint64_t>(i) << 32);
      for (const std::size_t role : outputs) audited += t[role].audited;
    });
  }
  EXPECT_EQ(auditor.remaining, ~std::uint64_t{0} - audited);
  EXPECT_GT(audited, random_cases * elements_a_case / 1024);
}

// The rule's equations once more, in MPFR at 1024 bits.
std::array<real, adamw::role_count> by_the_book(const adamw_scalars& s, const adamw_element& e) {
  const real one(1.0), b1(s.beta1), b2(s.beta2), lr(s.lr), eps(s.eps), decay(s.weight_decay);
  const real g = s.maximize ? -real(e.g) : real(e.g);
  const auto t = static_cast<unsigned long>(s.step);
  const real m = b1 * real(e.m) + (one - b1) * g;
  const real v = b2 * real(e.v) + (one - b2) * g * g;
  const real w = s.amsgrad ? larger(real(e.w), v) : real(e.w);
  const real root = sqrt((s.amsgrad ? w : v) / (one - power(b2, t)));
  const real update = lr * (m / (one - power(b1, t))) / (root + eps);
  return {real(e.p) * (one - lr * decay) - update, real(e.g), m, v, w};
}

TEST(AdamwEnclosure, HoldsTheExactValueWithinItsDecisionWindowInDoubleAndDoubleDouble) {
  const real::precision_scope scope(1024);
  std::uint64_t judged = 0;
  adamw_columns columns(256);
  for (int i = 0; i < 200; ++i) {
    draw random(seed_t{3000 + static_cast<std::uint64_t>(i)});
    const adamw_scalars s = random_scalars(random);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      columns.set_before(e, random_element(random, s));
    }
    const adamw_oracle oracle(s);
    double value[adamw::role_count][256], error[adamw::role_count][256];
    double head[adamw::role_count][256], tail[adamw::role_count][256];
    std::array<double*, rules::max_roles> values{}, errors{}, heads{}, tails{};
    for (const std::size_t role : outputs) {
      values[role] = value[role];
      errors[role] = error[role];
      heads[role] = head[role];
      tails[role] = tail[role];
    }
    oracle.evaluator().enclose(columns.view(s.amsgrad), values, errors);
    oracle.evaluator().exact(columns.view(s.amsgrad), heads, tails);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const auto exact = by_the_book(s, columns.before(e));
      for (const std::size_t role : outputs) {
        if (role == adamw::max_exp_avg_sq && !s.amsgrad) continue;
        // Ill-posed, or a denominator that is zero.
        if (std::isnan(error[role][e]) || !std::isfinite(value[role][e])) continue;
        ++judged;
        const auto distance = [&](const real& x) { return magnitude(x - exact[role]); };
        const auto window = [&]<class T>(T) {
          return real(numbers::value_window<T, formats::format_id::f32>()) * real(error[role][e]);
        };
        ASSERT_TRUE(distance(real(value[role][e])) <= window(double{}))
            << role << " off by " << distance(real(value[role][e])).to_string() << ", window "
            << window(double{}).to_string();
        ASSERT_TRUE(distance(real(head[role][e]) + real(tail[role][e])) <= window(dd{}))
            << role << " off by " << distance(real(head[role][e]) + real(tail[role][e])).to_string()
            << ", window " << window(dd{}).to_string() << " value " << value[role][e] << " p "
            << columns.before(e).p << " g " << columns.before(e).g << " m " << columns.before(e).m
            << " b1 " << s.beta1 << " eps " << s.eps << " lr " << s.lr;
      }
    }
  }
  EXPECT_GT(judged, 150'000U);
}

// ---- special values: exactly what an admissible order of evaluation gives

// The candidates that pass, in words; `finite` stands for the values given.
std::string accepted(const adamw_scalars& s, const adamw_element& before, std::size_t role,
                     std::vector<float> finite = {}) {
  const adamw_oracle oracle(s);
  std::string words;
  const auto note = [&](float got, const std::string& word) {
    if (!oracle.passes(before, role, got)) return;
    words += (words.empty() ? "" : " ") + word;
  };
  note(nan, "nan");
  note(infinity, "inf");
  note(-infinity, "-inf");
  note(0.0F, "0");
  note(-0.0F, "-0");
  note(largest, "largest");
  note(-largest, "-largest");
  for (const float x : finite) note(x, "given");
  return words;
}

adamw_scalars with_decay() {
  adamw_scalars s;
  s.lr = 0.5;
  s.weight_decay = 0.5;
  s.eps = 0;
  return s;
}

TEST(AdamwSpecial, ANaNReachesExactlyTheOutputsThatDependOnIt) {
  const adamw_element clean{1, 1, 1, 1, 1};
  const std::pair<float adamw_element::*, std::vector<std::size_t>> reached[] = {
      {&adamw_element::p, {adamw::param}},
      {&adamw_element::g, {adamw::exp_avg, adamw::exp_avg_sq, adamw::max_exp_avg_sq, adamw::param}},
      {&adamw_element::m, {adamw::exp_avg, adamw::param}},
      {&adamw_element::v, {adamw::exp_avg_sq, adamw::max_exp_avg_sq, adamw::param}},
      {&adamw_element::w, {adamw::max_exp_avg_sq, adamw::param}},
  };
  adamw_scalars s = with_decay();
  s.amsgrad = true;
  const adamw_element y = plain_step(adamw_floats(s), clean);
  const float right[] = {y.p, y.g, y.m, y.v, y.w};
  for (const auto& [input, dependent] : reached) {
    adamw_element before = clean;
    before.*input = nan;
    for (const std::size_t role : outputs) {
      const bool depends = std::count(dependent.begin(), dependent.end(), role) != 0;
      EXPECT_EQ(accepted(s, before, role, {right[role]}), depends ? "nan" : "given") << role;
    }
  }
}

TEST(AdamwSpecial, ANaNMaximumIsOfNoConsequenceWithoutAmsgrad) {
  const adamw_scalars s = with_decay();
  const adamw_element y = plain_step(adamw_floats(s), {1, 1, 1, 1, nan});
  EXPECT_EQ(accepted(s, {1, 1, 1, 1, nan}, adamw::param, {y.p}), "given");
}

TEST(AdamwSpecial, AMaximumThatDropsANaNIsWrong) {
  adamw_scalars s = with_decay();
  s.amsgrad = true;
  EXPECT_EQ(accepted(s, {1, 1, 1, nan, 1}, adamw::max_exp_avg_sq, {1}), "nan");
  EXPECT_EQ(accepted(s, {1, 1, 1, 1, nan}, adamw::max_exp_avg_sq, {1}), "nan");
}

TEST(AdamwSpecial, AnInfiniteParameterStaysOrIsNaNByTheDecayTerm) {
  EXPECT_EQ(accepted(with_decay(), {infinity, 1, 0, 1, 0}, adamw::param, {1}), "nan inf");
  EXPECT_EQ(accepted(with_decay(), {-infinity, 1, 0, 1, 0}, adamw::param, {1}), "nan -inf");
}

TEST(AdamwSpecial, AnInfiniteGradientMakesTheMomentsInfiniteAndTheParameterNaN) {
  const adamw_element before{1, infinity, 0, 1, 0};
  EXPECT_EQ(accepted(with_decay(), before, adamw::exp_avg, {1}), "inf");
  EXPECT_EQ(accepted(with_decay(), before, adamw::exp_avg_sq, {1}), "inf");
  EXPECT_EQ(accepted(with_decay(), before, adamw::param, {1}), "nan");
  adamw_scalars s = with_decay();
  s.maximize = true;
  EXPECT_EQ(accepted(s, before, adamw::exp_avg, {1}), "-inf");
}

TEST(AdamwSpecial, AnInfiniteMomentStaysOrIsNaNByLerp) {
  // lerp: m + (1 - beta1) (g - m) = inf - inf.
  EXPECT_EQ(accepted(with_decay(), {1, 1, infinity, 1, 0}, adamw::exp_avg, {1}), "nan inf");
  EXPECT_EQ(accepted(with_decay(), {1, 1, 0, infinity, 0}, adamw::exp_avg_sq, {1}), "nan inf");
  // beta1 = 0: 0 * inf, in every form.
  adamw_scalars s = with_decay();
  s.beta1 = 0;
  EXPECT_EQ(accepted(s, {1, 1, infinity, 1, 0}, adamw::exp_avg, {1}), "nan");
}

TEST(AdamwSpecial, AnOverflowingSecondMomentIsInfiniteAndTheUpdateVanishesOrNot) {
  // (1 - beta2) g^2 = 2^137 is beyond float. The update is -lr g / |g| where nothing overflows, as
  // in double, and 0 in float.
  adamw_scalars s = with_decay();
  s.beta2 = 1 - 0x1p-9;
  const adamw_element before{1, 0x1p73F, 0, 0, 0};
  EXPECT_EQ(accepted(s, before, adamw::exp_avg_sq, {1}), "inf");
  EXPECT_EQ(accepted(s, before, adamw::param, {0.75F, 0.25F, 0.5F}), "given given");
}

TEST(AdamwSpecial, ASquareThatOverflowsMayBeTakenOneFactorAtATime) {
  // g^2 = 2^130 is beyond float, (1 - beta2) g^2 = 2^121 is not.
  adamw_scalars s = with_decay();
  s.beta2 = 1 - 0x1p-9;
  const adamw_element before{1, 0x1p65F, 0, 0, 0};
  EXPECT_EQ(accepted(s, before, adamw::exp_avg_sq, {0x1p121F, 1}), "inf given");
}

TEST(AdamwSpecial, AtTheThresholdOfOverflowBothSidesPass) {
  // beta1 m + (1 - beta1) g of the largest numbers, exactly: the budget reaches over the threshold.
  EXPECT_EQ(accepted(with_decay(), {1, largest, largest, 1, 0}, adamw::exp_avg, {1}),
            "inf largest");
}

TEST(AdamwSpecial, AZerosSignIsComparedOnlyWhereAllFormsAgree) {
  const adamw_scalars s = with_decay();
  EXPECT_EQ(accepted(s, {1, 0.0F, 0.0F, 1, 0}, adamw::exp_avg), "0");
  EXPECT_EQ(accepted(s, {1, 0.0F, 0.0F, 0.0F, 0}, adamw::exp_avg_sq), "0");
  // lerp: -0 + (1 - beta1) (-0 - -0) = +0
  EXPECT_EQ(accepted(s, {1, -0.0F, -0.0F, 1, 0}, adamw::exp_avg), "0 -0");
  EXPECT_EQ(accepted(s, {0.0F, 0.0F, 0.0F, 1, 0}, adamw::param), "0");
}

TEST(AdamwSpecial, AZeroThatUnderflowsMayComeFromEitherSide) {
  // A kernel that is double inside found this: p - update is +-0.3 of the smallest subnormal, of
  // which sign hangs on one rounding. Beside it: nothing rounds, and the zero has its sign.
  adamw_scalars s;
  s.lr = 0x1.5fa3b4p-30;
  s.beta2 = 0.5;
  s.eps = 1;
  s.weight_decay = 0.01;
  s.step = 1;
  const adamw_element before{0x9p-149F, 9.490033e-36F, 0x7p-149F, 1.8640886e-23F, 0};
  EXPECT_EQ(accepted(s, before, adamw::param), "0 -0");
  EXPECT_EQ(accepted(s, {0, 0, 0, 1, 0}, adamw::param), "0");
}

TEST(AdamwSpecial, AZeroMeanOfNegativeZerosMayBePositiveFromEitherEnd) {
  // g + beta1 (m - g) = -0 + beta1 (-0 - -0) = +0, and (g - beta1 g) + beta1 m with beta1 = 0.
  adamw_scalars s = with_decay();
  s.beta1 = 0.3;
  EXPECT_EQ(accepted(s, {1, -0.0F, -0.0F, 1, 0}, adamw::exp_avg), "0 -0");
  s.beta1 = 0;
  EXPECT_EQ(accepted(s, {1, -0.0F, -1, 1, 0}, adamw::exp_avg), "0 -0");
}

TEST(AdamwSpecial, TheSumOfUpdateAndDecayMayOverflowBeforeTheLearningRateScalesIt) {
  // m / sqrt(v) + weight_decay p = 2^127 + 2^127 is beyond float, 2^-10 times it is not.
  adamw_scalars s = with_decay();
  s.step = 1;
  s.beta1 = s.beta2 = 0.5;
  s.lr = 0x1p-10;
  s.weight_decay = 1;
  EXPECT_EQ(accepted(s, {0x1p127F, 0, 0x1p127F, 1, 0}, adamw::param, {0x1p127F - 0x1p118F, 1}),
            "-inf given");
}

TEST(AdamwSpecial, AnInfiniteGradientLessBetaTimesItselfIsNaNWhereTheContractHasFloatBetas) {
  // fma(-beta1, g, g) + beta1 m is right where float holds beta1, and no evaluation where not.
  const adamw_element before{1, infinity, 0, 1, 0};
  rules::arithmetic how;
  how.float_coefficients = true;
  EXPECT_FALSE(adamw_oracle(with_decay()).passes(before, adamw::exp_avg, nan));
  EXPECT_TRUE(adamw_oracle(with_decay(), nullptr, how).passes(before, adamw::exp_avg, nan));
}

TEST(AdamwSpecial, ZeroOverZeroIsNaN) {
  EXPECT_EQ(accepted(with_decay(), {1, 0, 0, 0, 0}, adamw::param, {0.75F, 1}), "nan");
}

TEST(AdamwSpecial, AMomentOverZeroIsInfinite) {
  // beta2 = 0 and g = 0: v is an exact zero, m is not.
  adamw_scalars s = with_decay();
  s.beta2 = 0;
  EXPECT_EQ(accepted(s, {1, 0, 1, 1, 0}, adamw::param, {1}), "-inf");
}

TEST(AdamwSpecial, ADenominatorThatMayBeZeroIsIllPosedAndCounted) {
  // v = 2^-149 / 2: whether that is 0 or 2^-149 hangs on one rounding, and eps is 0.
  adamw_scalars s = with_decay();
  s.beta2 = 0.5;
  const adamw_element before{1, 0, 1, 0x1p-149F, 0};
  for (const float got : {0.0F, 1.0F, infinity}) {
    const rules::output_tally t = adamw_oracle(s).judge(before, adamw::param, got);
    EXPECT_EQ(t.tiers[std::size_t(rules::tier::ill_posed)], 1U);
    EXPECT_EQ(t.failed, 0U);
  }
}

TEST(AdamwSpecial, OneElementChangesTheVerdictOfNoOther) {
  draw random(seed_t{40});
  const adamw_scalars s = with_decay();
  const adamw_floats c(s);
  adamw_columns columns(1024);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    adamw_element e = training_element(random);
    if (i % 64 == 5) e.g = nan;
    if (i % 64 == 6) e.p = infinity;
    columns.set_before(i, e);
    e = plain_step(c, e);
    if (i == 700) e.m = std::nextafter(e.m * 1.5F, 0.0F);
    columns.set_after(i, e);
  }
  const rules::tally t = adamw_oracle(s).judge(columns);
  EXPECT_EQ(t[adamw::exp_avg].failed, 1U);
  EXPECT_EQ(t[adamw::exp_avg].first_failure, 700U);
  EXPECT_EQ(t[adamw::exp_avg].tiers[std::size_t(rules::tier::special)], 16U);
  EXPECT_EQ(t[adamw::param].failed, 0U);
  EXPECT_EQ(t[adamw::param].tiers[std::size_t(rules::tier::special)], 32U);
}

}  // namespace
}  // namespace driftgate::tests
