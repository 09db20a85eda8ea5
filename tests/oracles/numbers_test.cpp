// The number types that a rule is evaluated over, against MPFR with precision to spare.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "oracles/numbers/bounded.hpp"
#include "oracles/numbers/multiprecision.hpp"
#include "tests/oracles/draw.hpp"

namespace driftgate::numbers {
namespace {

using formats::format_id;
using real = multiprecision;
using tests::draw;
using tests::seed_t;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double u = formats::traits(format_id::f32).unit_roundoff;
constexpr double eta = formats::traits(format_id::f32).half_smallest_subnormal;
constexpr double largest = formats::traits(format_id::f32).max_finite;
constexpr double smallest = 2 * eta;
constexpr int pairs = 200'000;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// ---- double-double

real real_of(dd a) {
  return real(a.hi) + real(a.lo);
}

// The nearest dd to about a, with a random tail of every size.
dd random_dd(draw& random) {
  const double head = random.either(-40, 40);
  const double tail = random.one_in(8) ? 0 : head * 0x1p-53 * random.either(-40, 0);
  return fast_two_sum(head, tail);
}

// A second operand: unrelated, or one that cancels up to all bits of the first in a sum.
dd random_partner(draw& random, dd a) {
  if (random.one_in(2)) return random_dd(random);
  const dd near = a + dd(a.hi * random.either(-100, 0));
  return random.one_in(2) ? near : -near;
}

struct dd_operation {
  const char* name;
  dd (*in_dd)(dd, dd);
  dd_pack (*in_packs)(dd_pack, dd_pack);
  real (*exact)(const real&, const real&);
};
template <class T>
T sum(T a, T b) {
  return a + b;
}
template <class T>
T difference(T a, T b) {
  return a - b;
}
template <class T>
T product(T a, T b) {
  return a * b;
}
template <class T>
T quotient(T a, T b) {
  return a / b;
}
template <class T>
T root(T a, T) {
  return sqrt(larger(a, -a));
}
template <real (*Operation)(real, real)>
real exactly(const real& a, const real& b) {
  return Operation(a, b);
}
const dd_operation dd_operations[] = {
    {"sum", sum<dd>, sum<dd_pack>, exactly<sum<real>>},
    {"difference", difference<dd>, difference<dd_pack>, exactly<difference<real>>},
    {"product", product<dd>, product<dd_pack>, exactly<product<real>>},
    {"quotient", quotient<dd>, quotient<dd_pack>, exactly<quotient<real>>},
    {"root", root<dd>, root<dd_pack>, exactly<root<real>>},
};

void PrintTo(const dd_operation& o, std::ostream* out) {
  *out << o.name;
}

class DoubleDouble : public testing::TestWithParam<dd_operation> {};
INSTANTIATE_TEST_SUITE_P(Operations, DoubleDouble, testing::ValuesIn(dd_operations),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(DoubleDouble, ErrsByNoMoreThanItsUnitRoundoff) {
  const real::precision_scope scope(300);
  draw random(seed_t{1});
  for (int i = 0; i < pairs; ++i) {
    const dd a = random_dd(random);
    const dd b = random_partner(random, a);
    const real exact = GetParam().exact(real_of(a), real_of(b));
    const real miss = magnitude(real_of(GetParam().in_dd(a, b)) - exact);
    ASSERT_TRUE(miss <= magnitude(exact) * real(unit_roundoff<dd>()))
        << std::hexfloat << a.hi << " + " << a.lo << ", " << b.hi << " + " << b.lo;
  }
}

TEST_P(DoubleDouble, GivesTheSameBitsInEveryLaneAsAlone) {
  draw random(seed_t{2});
  for (int i = 0; i < pairs / 8; ++i) {
    std::array<dd, pack::lanes> a, b;
    dd_pack packed_a, packed_b;
    for (std::size_t lane = 0; lane < pack::lanes; ++lane) {
      a[lane] = random_dd(random);
      b[lane] = random_partner(random, a[lane]);
      packed_a.hi.v[lane] = a[lane].hi;
      packed_a.lo.v[lane] = a[lane].lo;
      packed_b.hi.v[lane] = b[lane].hi;
      packed_b.lo.v[lane] = b[lane].lo;
    }
    const dd_pack together = GetParam().in_packs(packed_a, packed_b);
    for (std::size_t lane = 0; lane < pack::lanes; ++lane) {
      const dd alone = GetParam().in_dd(a[lane], b[lane]);
      ASSERT_TRUE(same_bits(together.hi.v[lane], alone.hi));
      ASSERT_TRUE(same_bits(together.lo.v[lane], alone.lo));
    }
  }
}

TEST(DoubleDoubleNumber, HasTheRootOfZeroAndComparesByItsTailToo) {
  EXPECT_EQ(sqrt(dd(0.0)).hi, 0);
  EXPECT_EQ(sqrt(dd(0.0)).lo, 0);
  EXPECT_EQ(larger(dd(1, 0x1p-60), dd(1, 0x1p-61)).lo, 0x1p-60);
  EXPECT_EQ(larger(dd(1, -0x1p-60), dd(1, 0)).lo, 0);
  EXPECT_EQ(larger(dd(1, 0x1p-60), dd(2, 0)).hi, 2);
}

// ---- pack

pack pack_of(std::array<double, pack::lanes> values) {
  pack p;
  for (std::size_t lane = 0; lane < pack::lanes; ++lane) p.v[lane] = values[lane];
  return p;
}
const pack awkward = pack_of({-0.0, 0.0, nan, -infinity, infinity, -1.5, 2.0, 0x1p-1074});

TEST(Pack, SelectsLaneByLane) {
  const pack chosen = select(awkward > pack(0.0), pack(1.0), pack(-1.0));
  const double expected[] = {-1, -1, -1, -1, 1, -1, 1, 1};  // NaN is not above zero
  for (std::size_t lane = 0; lane < pack::lanes; ++lane) EXPECT_EQ(chosen.v[lane], expected[lane]);
}

TEST(Pack, HasTheMagnitudeOfEveryLaneAndKeepsANaN) {
  const pack sizes = magnitude(awkward);
  for (std::size_t lane = 0; lane < pack::lanes; ++lane) {
    const double expected = std::fabs(awkward.v[lane]);
    EXPECT_TRUE(sizes.v[lane] == expected || (std::isnan(sizes.v[lane]) && std::isnan(expected)));
  }
}

TEST(Pack, KeepsTheSignOfZeroWhenItIsFilledAndWhenItIsNegated) {
  EXPECT_TRUE(std::signbit(pack(-0.0).v[3]));
  EXPECT_FALSE(std::signbit((-pack(-0.0)).v[3]));
  EXPECT_TRUE(std::signbit((-pack(0.0)).v[3]));
}

TEST(Pack, ComparesNoNaNAsEqualOrOrdered) {
  const pack bad(nan);
  EXPECT_EQ((bad == bad)[0], 0);
  EXPECT_EQ((bad < pack(1.0))[0], 0);
  EXPECT_EQ((bad >= pack(1.0))[0], 0);
  EXPECT_EQ((bad > pack(1.0))[0], 0);
}

TEST(Pack, ComparesSignsAndThoseOfZeros) {
  const auto same = same_sign(awkward, pack(-1.0));
  for (std::size_t lane = 0; lane < pack::lanes; ++lane) {
    if (std::isnan(awkward.v[lane])) continue;
    EXPECT_EQ(same[lane] != 0, std::signbit(awkward.v[lane])) << lane;
  }
}

TEST(Pack, ComputesEveryLaneAsADoubleAlone) {
  draw random(seed_t{3});
  for (int i = 0; i < pairs / 8; ++i) {
    pack a, b, c;
    for (std::size_t lane = 0; lane < pack::lanes; ++lane) {
      a.v[lane] = random.either(-300, 300);
      b.v[lane] = random.either(-300, 300);
      c.v[lane] = -a.v[lane] * b.v[lane] * (1 + random.either(-60, 0));
    }
    for (std::size_t lane = 0; lane < pack::lanes; ++lane) {
      const double x = a.v[lane], y = b.v[lane], z = c.v[lane];
      ASSERT_TRUE(same_bits((a + b).v[lane], x + y));
      ASSERT_TRUE(same_bits((a - b).v[lane], x - y));
      ASSERT_TRUE(same_bits((a * b).v[lane], x * y));
      ASSERT_TRUE(same_bits((a / b).v[lane], x / y));
      ASSERT_TRUE(same_bits(fma(a, b, c).v[lane], std::fma(x, y, z)));
      ASSERT_TRUE(same_bits(sqrt(magnitude(a)).v[lane], std::sqrt(std::fabs(x))));
      ASSERT_TRUE(same_bits(larger(a, b).v[lane], larger(x, y)));
    }
  }
}

// ---- multiprecision

TEST(Multiprecision, IsExactAfterDyadicOperations) {
  const real::precision_scope scope(128);
  const real a(0.75), b(-0x1.8p-20);
  EXPECT_TRUE((a + b).exact());
  EXPECT_TRUE((a - b).exact());
  EXPECT_TRUE((a * b * b).exact());
  EXPECT_TRUE((b / real(0.5)).exact());
  EXPECT_TRUE(sqrt(real(2.25)).exact());
  EXPECT_TRUE(power(a, 7).exact());
  EXPECT_TRUE(magnitude(-b).exact());
  EXPECT_EQ(power(a, 7).to_double(), 2187.0 / 16384);
}

TEST(Multiprecision, IsInexactAfterOneRoundingAndForEver) {
  const real::precision_scope scope(128);
  const real third = real(1.0) / real(3.0);
  EXPECT_FALSE(third.exact());
  EXPECT_FALSE((third * real(0.0)).exact());
  EXPECT_FALSE((-third).exact());
  EXPECT_FALSE(magnitude(third).exact());
  EXPECT_FALSE(sqrt(real(2.0)).exact());
  EXPECT_FALSE((real(1.0) + real(0x1p-200)).exact());
  EXPECT_FALSE(power(real(0.9), 1000).exact());
}

TEST(Multiprecision, KeepsPrecisionAndExactnessInCopies) {
  std::optional<real> fine;
  {
    const real::precision_scope scope(1024);
    fine = real(1.0) + real(0x1p-1000);
  }
  const real::precision_scope scope(128);
  const real copy = *fine;  // NOLINT: the copy is what is tested
  real assigned(3.0);
  assigned = *fine;
  real moved(3.0);
  moved = real(*fine);
  for (const real* x :
       {&copy, static_cast<const real*>(&assigned), static_cast<const real*>(&moved)}) {
    EXPECT_EQ(mpfr_get_prec(x->get()), 1024);
    EXPECT_TRUE(x->exact());
    EXPECT_TRUE(*x > real(1.0));
  }
  EXPECT_FALSE((-copy).exact()) << "a result has the precision in force";
  assigned = real(1.0) / real(3.0);
  EXPECT_FALSE(assigned.exact());
}

TEST(Multiprecision, RestoresThePrecisionAtTheEndOfAScope) {
  const int before = real::precision();
  {
    const real::precision_scope outer(128);
    const real::precision_scope inner(1024);
    EXPECT_EQ(real::precision(), 1024);
  }
  EXPECT_EQ(real::precision(), before);
}

TEST(Multiprecision, TakesTheLargerAndANaNFromEitherSide) {
  EXPECT_EQ(larger(real(1.0), real(2.0)).to_double(), 2);
  EXPECT_EQ(larger(real(2.0), real(1.0)).to_double(), 2);
  EXPECT_TRUE(larger(real(nan), real(1.0)).is_nan());
  EXPECT_TRUE(larger(real(1.0), real(nan)).is_nan());
}

TEST(Multiprecision, IsSplitIntoANearestDoubleDouble) {
  const real::precision_scope scope(300);
  const real third = real(1.0) / real(3.0);
  const dd parts = nearest<dd>(third);
  EXPECT_EQ(parts.hi, third.to_double());
  EXPECT_TRUE(magnitude(real_of(parts) - third) <= third * real(unit_roundoff<dd>()));
}

// ---- bounded: the recursion by hand

using exact_bounded = bounded<real, format_id::f32>;
using double_bounded = bounded<double, format_id::f32>;

exact_bounded number(double value, double error = 0) {
  return {real(value), real(error)};
}
bool equal(const real& a, const real& b) {
  return a == b && a.exact() && b.exact();
}

class Bounded : public testing::Test {
 private:
  real::precision_scope scope_{1024};
};

TEST_F(Bounded, AProductErrsByUTimesItselfAndByEta) {
  const exact_bounded y = number(3) * number(-5);
  EXPECT_EQ(y.value.to_double(), -15);
  EXPECT_TRUE(equal(y.error, real(u) * real(15) + real(eta)));
}

TEST_F(Bounded, AProductCarriesTheErrorsOfBothFactors) {
  const exact_bounded y = number(3, 0.25) * number(-5, 0.5);
  // 3 * 0.5 + 5 * 0.25 + 0.25 * 0.5 = 2.875
  EXPECT_TRUE(equal(y.error, real(2.875) + real(u) * real(17.875) + real(eta)));
  EXPECT_TRUE(equal(y.reach, real(17.875)));
}

TEST_F(Bounded, AProductWithAnExactZeroHasNoError) {
  EXPECT_TRUE((number(0) * number(5, 0.5)).error.is_zero());
  EXPECT_TRUE((number(5, 0.5) * number(-0.0)).error.is_zero());
  EXPECT_FALSE((number(0, smallest) * number(5)).error.is_zero()) << "this zero is not exact";
}

TEST_F(Bounded, AProductWithAnExactOneOnItsLeftIsTheRightFactor) {
  EXPECT_TRUE((number(1) * number(5)).error.is_zero());
  EXPECT_TRUE((number(-1) * number(5)).error.is_zero());
  EXPECT_TRUE(equal((number(1) * number(5, 0.5)).error, real(0.5)));
  EXPECT_FALSE((number(1, u) * number(5)).error.is_zero()) << "this one is not exact";
}

TEST_F(Bounded, ASumErrsByUTimesItselfAndNeverByEta) {
  EXPECT_TRUE(equal((number(3) + number(-5)).error, real(u) * real(2)));
  EXPECT_TRUE(equal((number(3) - number(-5)).error, real(u) * real(8)));
  EXPECT_TRUE(equal((number(3, 0.25) + number(-5, 0.5)).error, real(0.75) + real(u) * real(2.75)));
}

TEST_F(Bounded, ASumWithAnExactZeroIsNotRounded) {
  EXPECT_TRUE((number(0) + number(5)).error.is_zero());
  EXPECT_TRUE(equal((number(5, 0.5) + number(0)).error, real(0.5)));
  EXPECT_TRUE(equal((number(5, 0.5) - number(-0.0)).error, real(0.5)));
}

TEST_F(Bounded, AQuotientErrsByUTimesItselfAndByEta) {
  const exact_bounded y = divide(number(12), number(-4), u);
  EXPECT_EQ(y.value.to_double(), -3);
  EXPECT_TRUE(equal(y.error, real(u) * real(3) + real(eta)));
}

TEST_F(Bounded, AQuotientCarriesTheErrorsOverTheNearestDivisor) {
  const exact_bounded y = divide(number(12, 0.5), number(4, 2), u);
  // (3 * 2 + 0.5) / (4 - 2) = 3.25
  EXPECT_TRUE(equal(y.error, real(3.25) + real(u) * real(6.25) + real(eta)));
}

TEST_F(Bounded, ADivisionMayErrAsTheContractSays) {
  const exact_bounded y = divide(number(12), number(-4), 4 * u);
  EXPECT_TRUE(equal(y.error, real(4 * u) * real(3) + real(4 * eta)));
}

TEST_F(Bounded, AnExactZeroDividedHasNoError) {
  EXPECT_TRUE(divide(number(0), number(4, 1), u).error.is_zero());
}

TEST_F(Bounded, ADivisorThatMayBeZeroLeavesNoBudget) {
  EXPECT_TRUE(divide(number(1), number(4, 4), u).error.is_nan());
  EXPECT_TRUE(divide(number(1), number(4, 8), u).error.is_nan());
  EXPECT_TRUE(divide(number(1), number(4, 4 * (1 - singular)), u).error.is_nan());
  EXPECT_FALSE(divide(number(1), number(4, 4 * (1 - 2 * singular)), u).error.is_nan());
  EXPECT_TRUE(std::isnan(divide(double_bounded(1), double_bounded(4, 4), u).error));
}

TEST_F(Bounded, ARootHasTheExactDifferenceOfItsIntervalsEnds) {
  const exact_bounded y = square_root(number(4, 3), u);
  // sqrt(4) - sqrt(1) = 1
  EXPECT_TRUE(equal(y.error, real(1) + real(u) * real(3)));
}

TEST_F(Bounded, TheRootOfAnExactZeroHasNoError) {
  const exact_bounded y = square_root(number(0), u);
  EXPECT_TRUE(y.value.is_zero());
  EXPECT_TRUE(y.error.is_zero());
}

TEST_F(Bounded, TheRootOfAZeroWithAnErrorReachesTheRootOfThatError) {
  const exact_bounded y = square_root(number(0, 0.25), u);
  EXPECT_TRUE(equal(y.error, real(0.5) + real(u) * real(0.5)));
}

TEST_F(Bounded, ARootWhoseIntervalHoldsZeroReachesBothEnds) {
  // sqrt([0, 16]) about sqrt(4) = 2; sqrt([0, 5]) about 2 reaches down to zero.
  EXPECT_TRUE(equal(square_root(number(4, 12), u).error, real(2) + real(u) * real(4)));
  EXPECT_TRUE(equal(square_root(number(4, 4), u).error, real(2) + real(u) * real(4)));
  EXPECT_TRUE(equal(square_root(number(1, 8), u).error, real(2) + real(u) * real(3)));
}

TEST_F(Bounded, ARootAtLeastHasNoMoreThanTheRootsBudget) {
  draw random(seed_t{4});
  for (int i = 0; i < pairs / 20; ++i) {
    const double value = random.one_in(10) ? 0 : random.positive(-40, 40);
    const double error = random.one_in(10) ? 0 : random.positive(-60, 60);
    const exact_bounded least = square_root_at_least(number(value, error), u);
    const exact_bounded full = square_root(number(value, error), u);
    ASSERT_TRUE(least.value == full.value);
    ASSERT_TRUE(least.error <= full.error || least.error.is_nan()) << value << " +- " << error;
  }
}

TEST_F(Bounded, AMaximumOfANaNIsNaNOnEitherSide) {
  EXPECT_TRUE(maximum(number(nan), number(1)).value.is_nan());
  EXPECT_TRUE(maximum(number(1), number(nan)).value.is_nan());
  EXPECT_TRUE(std::isnan(maximum(double_bounded(nan), double_bounded(1)).value));
  EXPECT_TRUE(std::isnan(maximum(double_bounded(1), double_bounded(nan)).value));
  using pack_bounded = bounded<pack, format_id::f32>;
  EXPECT_TRUE(std::isnan(maximum(pack_bounded(pack(nan)), pack_bounded(pack(1.0))).value.v[0]));
  EXPECT_TRUE(std::isnan(maximum(pack_bounded(pack(1.0)), pack_bounded(pack(nan))).value.v[0]));
}

TEST_F(Bounded, AMaximumMovesByItsOperandsErrorsAndIsNotRounded) {
  const exact_bounded apart = maximum(number(5, 1), number(3, 0.5));
  EXPECT_EQ(apart.value.to_double(), 5);
  EXPECT_TRUE(equal(apart.error, real(1)));
  EXPECT_TRUE(equal(maximum(number(3, 0.5), number(5, 1)).error, real(1)));
  EXPECT_TRUE(equal(maximum(number(5, 0.5), number(4, 2)).error, real(2))) << "4 may be above 5";
  EXPECT_TRUE(maximum(number(5), number(5)).error.is_zero());
}

TEST_F(Bounded, AStageHasTheFirstFormsValueAndTheLargestBudget) {
  const exact_bounded y = wider(number(5, 0.5), number(6, 2));
  EXPECT_EQ(y.value.to_double(), 5);
  EXPECT_TRUE(equal(y.error, real(2)));
  EXPECT_TRUE(wider(number(5, 0.5), number(6, nan)).error.is_nan());
  EXPECT_TRUE(wider(number(5, nan), number(6, 0.5)).error.is_nan());
}

TEST_F(Bounded, ReachIsTheLargestMagnitudeOnTheWay) {
  const exact_bounded y = divide(number(1), number(100, 4) * number(2), u) + number(1);
  EXPECT_TRUE(y.reach >= real(208));
  EXPECT_TRUE(y.reach < real(209));
}

// ---- bounded: no float operation errs by more than the budget

// What a kernel has in float, and the exact number that it stands for with a bound on the distance.
struct operand {
  float machine;
  exact_bounded ideal;
};

float random_machine(draw& random) {
  static constexpr float special[] = {0.0F, -0.0F, 1.0F, -1.0F, 0x1p-149F, 0x1p-126F, 0.5F, 2.0F};
  switch (random.below(4)) {
    case 0:
      return random.of(special);
    case 1:
      return random.any_float();
    default:
      return static_cast<float>(random.either(-20, 20));
  }
}

operand random_operand(draw& random, float machine) {
  if (random.one_in(3)) return {machine, number(machine)};
  const double relative = random.either(random.one_in(2) ? -30 : -3, 0);
  const double away =
      machine == 0 || random.one_in(8) ? random.either(-150, 0) : machine * relative;
  const double value = machine + away;
  const double distance = std::nextafter(std::fabs(value - machine), infinity);
  return {machine, number(value, random.one_in(2) ? distance : distance * (1 + random.unit()))};
}

// True where the standard model speaks: nothing overflows, the divisor is not zero.
bool has_budget(const exact_bounded& y) {
  return y.reach < real(largest) && !y.error.is_nan() && y.value.is_finite();
}

void expect_within(const exact_bounded& ideal, float machine, int& judged) {
  if (!has_budget(ideal)) return;
  ++judged;
  ASSERT_TRUE(magnitude(real(machine) - ideal.value) <= ideal.error)
      << "got " << machine << ", exact " << ideal.value.to_string() << ", allowed "
      << ideal.error.to_string();
}

template <class Operation>
void expect_no_float_operation_beyond_its_budget(seed_t seed, Operation operation) {
  draw random(seed);
  int judged = 0;
  for (int i = 0; i < pairs / 4; ++i) {
    operand x[3];
    for (operand& each : x) each = random_operand(random, random_machine(random));
    // Nearly equal operands cancel.
    if (random.one_in(4)) x[1] = random_operand(random, std::nextafter(x[0].machine, 0.0F));
    ASSERT_NO_FATAL_FAILURE(operation(x, judged));
  }
  EXPECT_GT(judged, pairs / 8);
}

TEST_F(Bounded, HoldsForEveryFloatSum) {
  expect_no_float_operation_beyond_its_budget(seed_t{10}, [](const operand* x, int& judged) {
    expect_within(x[0].ideal + x[1].ideal, x[0].machine + x[1].machine, judged);
    expect_within(x[0].ideal - x[1].ideal, x[0].machine - x[1].machine, judged);
  });
}

TEST_F(Bounded, HoldsForEveryFloatProduct) {
  expect_no_float_operation_beyond_its_budget(seed_t{11}, [](const operand* x, int& judged) {
    expect_within(x[0].ideal * x[1].ideal, x[0].machine * x[1].machine, judged);
  });
}

TEST_F(Bounded, HoldsForEveryFloatQuotient) {
  expect_no_float_operation_beyond_its_budget(seed_t{12}, [](const operand* x, int& judged) {
    expect_within(divide(x[0].ideal, x[1].ideal, u), x[0].machine / x[1].machine, judged);
  });
}

TEST_F(Bounded, HoldsForEveryFloatRoot) {
  expect_no_float_operation_beyond_its_budget(seed_t{13}, [](const operand* x, int& judged) {
    operand y{std::fabs(x[0].machine), x[0].ideal};
    y.ideal.value = magnitude(y.ideal.value);
    expect_within(square_root(y.ideal, u), std::sqrt(y.machine), judged);
  });
}

TEST_F(Bounded, HoldsForEveryFusedMultiplyAdd) {
  expect_no_float_operation_beyond_its_budget(seed_t{14}, [](const operand* x, int& judged) {
    expect_within(x[0].ideal * x[1].ideal + x[2].ideal,
                  std::fma(x[0].machine, x[1].machine, x[2].machine), judged);
  });
}

TEST_F(Bounded, HoldsForEveryMaximum) {
  expect_no_float_operation_beyond_its_budget(seed_t{15}, [](const operand* x, int& judged) {
    expect_within(maximum(x[0].ideal, x[1].ideal), std::max(x[0].machine, x[1].machine), judged);
  });
}

// `steps` neighbours further from zero.
float off(float x, int steps) {
  const float away = std::copysign(std::numeric_limits<float>::infinity(), x);
  for (int i = 0; i < steps; ++i) x = std::nextafter(x, away);
  return x;
}

TEST_F(Bounded, HoldsForDivisionsAndRootsAsFarOffAsAContractMaySay) {
  for (const int ulps : {1, 2, 4}) {
    // The nearest float is half an ulp away, ulps - 1 neighbours on is less than `ulps`.
    const double roundoff = 2 * ulps * u;
    const int steps = ulps - 1;
    expect_no_float_operation_beyond_its_budget(seed_t{16}, [&](const operand* x, int& judged) {
      expect_within(divide(x[0].ideal, x[1].ideal, roundoff),
                    x[0].machine == 0 ? 0 : off(x[0].machine / x[1].machine, steps), judged);
      const float a = std::fabs(x[0].machine);
      expect_within(square_root(number(a), roundoff), a == 0 ? 0 : off(std::sqrt(a), steps),
                    judged);
    });
  }
}

// ---- expressions of many operations: float within its budget, and tier against tier

template <class T>
using over = bounded<T, format_id::f32>;

// One number of an expression, in float and in every tier.
struct node {
  float machine;
  over<double> in_double;
  over<dd> in_dd;
  over<real> in_real;
};

node leaf(float x) {
  return {x, double(x), dd(x), real(x)};
}

template <class Operation>
node apply(Operation operation, const node& a, const node& b) {
  return {operation(a.machine, b.machine), operation(a.in_double, b.in_double),
          operation(a.in_dd, b.in_dd), operation(a.in_real, b.in_real)};
}

// The float counterparts of the bounded operations, so that one text serves all.
float divide(float a, float b, double) {
  return a / b;
}
float square_root(float a, double) {
  return std::sqrt(a);
}

node random_operation(draw& random, const node& a, const node& b) {
  const auto root_of = [](const auto& x, const auto&) { return square_root(x, u); };
  switch (random.below(6)) {
    case 0:
      return apply([](const auto& x, const auto& y) { return x - y; }, a, b);
    case 1:
      return apply([](const auto& x, const auto& y) { return divide(x, y, u); }, a, b);
    case 2:
      if (a.machine > 0 && a.in_double.value > 0) return apply(root_of, a, b);
      [[fallthrough]];
    case 3:
      return apply([](const auto& x, const auto& y) { return x * y; }, a, b);
    default:
      return apply([](const auto& x, const auto& y) { return x + y; }, a, b);
  }
}

// A verdict in T is the verdict in the real numbers wherever it is outside the decision window.
template <class T>
void expect_window_holds(const over<T>& y, const over<real>& exact) {
  const auto as_real = [](T x) {
    if constexpr (std::is_same_v<T, dd>) {
      return real_of(x);
    } else {
      return real(x);
    }
  };
  const real value_off = magnitude(as_real(y.value) - exact.value);
  const real error_off = magnitude(real(y.error) - exact.error);
  const real window = real(decision_window<T, format_id::f32>()) * exact.error;
  ASSERT_TRUE(value_off + error_off <= window)
      << "value off by " << value_off.to_string() << ", error by " << error_off.to_string()
      << ", window " << window.to_string();
}

TEST_F(Bounded, HoldsForExpressionsAndEveryTierAgreesUpToItsDecisionWindow) {
  draw random(seed_t{20});
  int judged = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<node> known;
    for (int k = 0; k < 4; ++k) known.push_back(leaf(static_cast<float>(random.either(-12, 12))));
    for (int k = 0; k < 12; ++k) {
      const node& a = known[random.below(known.size())];
      const node& b = known[random.below(known.size())];
      const node y = random_operation(random, a, b);
      // Beyond double's own range it says nothing.
      if (!has_budget(y.in_real) || std::isnan(y.in_double.error)) continue;
      if (y.in_double.value != 0 && std::fabs(y.in_double.value) < 0x1p-400) continue;
      ++judged;
      ASSERT_TRUE(magnitude(real(y.machine) - y.in_real.value) <= y.in_real.error);
      ASSERT_NO_FATAL_FAILURE(expect_window_holds(y.in_double, y.in_real));
      ASSERT_NO_FATAL_FAILURE(expect_window_holds(y.in_dd, y.in_real));
      known.push_back(y);
    }
  }
  EXPECT_GT(judged, 100'000);
}

}  // namespace
}  // namespace driftgate::numbers
