#include "kernels/backend/powers.cuh"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace driftgate::kernels::host {
namespace {

constexpr double unit_roundoff = 0x1p-53;

// One rounding to nearest, u, and the error of the power, 5 t u^2 beta^t, which relative to 1 -
// beta^t is at most 5 u^2 / (1 - beta): below 2^-20 u for the betas here.
constexpr double allowed = 1 + 0x1p-20;

// |1 - beta^t - computed| / (1 - beta^t), in units of unit_roundoff.
double relative_error(double beta, std::int64_t t, double computed) {
  mpfr_t exact, error;
  mpfr_inits2(256, exact, error, nullptr);
  mpfr_set_d(exact, beta, MPFR_RNDN);
  mpfr_pow_si(exact, exact, static_cast<long>(t), MPFR_RNDN);
  mpfr_ui_sub(exact, 1, exact, MPFR_RNDN);
  mpfr_sub_d(error, exact, computed, MPFR_RNDN);
  mpfr_div(error, error, exact, MPFR_RNDN);
  const double result = std::fabs(mpfr_get_d(error, MPFR_RNDN)) / unit_roundoff;
  mpfr_clears(exact, error, nullptr);
  return result;
}

TEST(Powers, OneMinusBetaToTheTIsRoundedOnce) {
  double worst = 0;
  for (const double beta : {0.0, 0.3, 0.9, 0.999, 1 - 0x1p-14, 1 - 0x1p-30}) {
    for (const std::int64_t t : {1L, 2L, 10L, 100'000L, (1L << 24) - 1, 1L << 24, (1L << 24) + 1,
                                 1L << 31, (1L << 40) + 1}) {
      const double error = relative_error(beta, t, one_minus_power(beta, t));
      EXPECT_LE(error, allowed) << "beta " << beta << ", t " << t;
      worst = std::max(worst, error);
    }
  }
  RecordProperty("worst_error_in_unit_roundoffs", std::to_string(worst));
}

TEST(Powers, AnythingToThePowerOfZeroIsOne) {
  EXPECT_EQ(power(0, 0).hi, 1);
  EXPECT_EQ(power(0.9, 0).hi, 1);
  EXPECT_EQ(power(0.9, 0).lo, 0);
}

}  // namespace
}  // namespace driftgate::kernels::host
