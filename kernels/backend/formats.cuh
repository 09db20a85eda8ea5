// Numbers of 16 bits in tensors: exact on the way to float, rounded to nearest even on the way
// back.
//
// In integer operations, so that host and device give the same bits and the host needs no CUDA
// header. Subnormals are kept, what is too large becomes infinity, a NaN stays one and quiet.
// Formats: IEEE 754-2019 binary16; bfloat16, which is a float without its last 16 bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/backend/backend.cuh"

namespace driftgate::kernels::DG_BACKEND {

struct bf16 {
  std::uint16_t bits;
};
struct f16 {
  std::uint16_t bits;
};

__host__ __device__ __forceinline__ std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
__host__ __device__ __forceinline__ float float_of(std::uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// value / 2^shift to the nearest integer, ties to even; value < 2^31, 1 <= shift <= 31.
__host__ __device__ __forceinline__ std::uint32_t shift_to_even(std::uint32_t value, int shift) {
  return (value + (1u << (shift - 1)) - 1 + (value >> shift & 1)) >> shift;
}

__host__ __device__ __forceinline__ float to_float(float x) {
  return x;
}
__host__ __device__ __forceinline__ float to_float(bf16 x) {
  return float_of(static_cast<std::uint32_t>(x.bits) << 16);
}
__host__ __device__ __forceinline__ float to_float(f16 x) {
  const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = x.bits & 0x7fffu;
  // The exponent's bias is 127 in place of 15.
  std::uint32_t widened = (magnitude << 13) + (112u << 23);
  if (magnitude >= 0x7c00u) widened = magnitude << 13 | 0xffu << 23;
  // A subnormal counts 2^-24; the product is exact.
  if (magnitude < 0x0400u) widened = bits_of(static_cast<float>(magnitude) * 0x1p-24f);
  return float_of(sign | widened);
}

template <class T>
__host__ __device__ T from_float(float x);

template <>
__host__ __device__ __forceinline__ float from_float<float>(float x) {
  return x;
}
template <>
__host__ __device__ __forceinline__ bf16 from_float<bf16>(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t quiet = magnitude >> 16 | 0x40u;
  const std::uint32_t rounded = magnitude > 0x7f800000u ? quiet : shift_to_even(magnitude, 16);
  return {static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | rounded)};
}
template <>
__host__ __device__ __forceinline__ f16 from_float<f16>(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const int exponent = static_cast<int>(magnitude >> 23);
  std::uint32_t rounded;
  if (magnitude > 0x7f800000u) {
    rounded = 0x7e00u | (magnitude >> 13 & 0x3ffu);
  } else if (exponent >= 127 + 16) {
    rounded = 0x7c00u;
  } else if (exponent >= 127 - 14) {
    // A carry moves the exponent up, from 65520 on to infinity.
    rounded = shift_to_even(magnitude - (112u << 23), 13);
  } else {
    // In units of 2^-24; from 26 dropped bits on nothing is left, so that it does no harm that
    // float's own subnormals have no implicit bit.
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    const int dropped = 126 - exponent;
    rounded = shift_to_even(significand, dropped < 26 ? dropped : 26);
  }
  return {static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | rounded)};
}

}  // namespace driftgate::kernels::DG_BACKEND
