// The few kernels that the gate itself needs.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace driftgate::gate::device {

// Keeps its stream busy until *released is not 0, or for so long.
void launch_hold(const int* released, unsigned long long nanoseconds, cudaStream_t stream);

// Makes *found the least i in [period, bytes) with data[i] != data[i - period], if that is less
// than it was.
void launch_first_aperiodic(const std::byte* data, std::size_t period, std::size_t bytes,
                            unsigned long long* found, cudaStream_t stream);

}  // namespace driftgate::gate::device
