#include "gate/device/cuda/kernels.hpp"

#include <cstdint>

namespace driftgate::gate::device {
namespace {

__device__ unsigned long long nanoseconds_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void hold(const volatile int* released, unsigned long long nanoseconds) {
  const unsigned long long start = nanoseconds_now();
  while (*released == 0 && nanoseconds_now() - start < nanoseconds) {
  }
}

__global__ void first_aperiodic(const std::byte* data, std::size_t period, std::size_t bytes,
                                unsigned long long* found) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = period + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes;
       i += stride) {
    if (data[i] != data[i - period]) {
      atomicMin(found, static_cast<unsigned long long>(i));
      return;  // what this thread meets later is greater
    }
  }
}

}  // namespace

void launch_hold(const int* released, unsigned long long nanoseconds, cudaStream_t stream) {
  hold<<<1, 1, 0, stream>>>(released, nanoseconds);
}

void launch_first_aperiodic(const std::byte* data, std::size_t period, std::size_t bytes,
                            unsigned long long* found, cudaStream_t stream) {
  constexpr int blocks = 2048, threads = 256;
  first_aperiodic<<<blocks, threads, 0, stream>>>(data, period, bytes, found);
}

}  // namespace driftgate::gate::device
