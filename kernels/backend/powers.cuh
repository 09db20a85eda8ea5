// beta^t for bias corrections: binary powering in double-double, IEEE operations only.
//
// pow differs between libraries, a running product depends on the steps taken so far, and in plain
// double the error of 1 - beta^t grows with t. Here a squaring doubles the relative error and adds
// at most 5 u^2 (u = 2^-53), so beta^t is good to about 5 t u^2 relative: 2^-72 at t = 2^31.
// Products after Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building
// blocks of double-word arithmetic" (ACM TOMS 44, 2017), algorithm 11.
#pragma once

#include <cstdint>

#include "kernels/backend/backend.cuh"

namespace driftgate::kernels::DG_BACKEND {

// The unevaluated sum hi + lo, |lo| <= half an ulp of hi.
struct double_double {
  double hi;
  double lo;
};

__host__ __device__ inline double_double multiply(double_double a, double_double b) {
  const double product = a.hi * b.hi;
  const double error = fma(a.hi, b.hi, -product) + fma(a.hi, b.lo, a.lo * b.hi);
  const double hi = product + error;
  return {hi, error - (hi - product)};
}

// base^exponent for 0 <= base <= 1 and exponent >= 0.
__host__ __device__ inline double_double power(double base, std::int64_t exponent) {
  double_double result{1, 0};
  double_double square{base, 0};
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, square);
    square = multiply(square, square);
  }
  return result;
}

// 1 - beta^t, rounded once but for the power's own error: 1 - hi is exact from hi = 1/2 up, and
// below that its rounding and lo's are each within half an ulp of the result's last bits.
__host__ __device__ inline double one_minus_power(double beta, std::int64_t t) {
  const double_double power_of_beta = power(beta, t);
  const double difference = 1 - power_of_beta.hi;
  const double error = (1 - difference) - power_of_beta.hi;
  return difference + (error - power_of_beta.lo);
}

}  // namespace driftgate::kernels::DG_BACKEND
