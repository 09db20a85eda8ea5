// Calls of the CUDA runtime whose errors are exceptions.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "gate/device/device.hpp"

namespace driftgate::gate::device {

inline void call(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // one that is not sticky must not be taken for the next call's
  throw failure(std::string(what) + ": CUDA error " + std::to_string(error) + " (" +
                cudaGetErrorString(error) + ")");
}

}  // namespace driftgate::gate::device
