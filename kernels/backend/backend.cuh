// One source, two compilers: what lets g++ compile a .cu file as host code.
//
// A kernel file is CUDA C++17 without <<<>>>. nvcc builds it for the device; g++ builds the same
// text for the host, where a launch is a loop over the blocks and their threads. Written with
// explicit fmaf and built without contraction (-fmad=false, -ffp-contract=off), it gives the same
// bits on both.
//
// Everything that is compiled twice lives in driftgate::kernels::DG_BACKEND. Under one shared name
// the linker would merge the two copies, and one backend would run with the other's flags.
#pragma once

#include <cstdint>

#include "driftgate/kernel.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>

#define DG_BACKEND cuda
#define DG_DEVICE "cuda"
#else
#include <cmath>
#include <cstring>

#define DG_BACKEND host
#define DG_DEVICE "cpu"
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#endif

namespace driftgate::kernels::DG_BACKEND {

// T, where it is not to take part in template argument deduction.
template <class T>
struct identity {
  using type = T;
};
template <class T>
using as_is = typename identity<T>::type;

// Four neighbours of a tensor, moved as one: a 16-byte access where T is float.
template <class T>
struct alignas(4 * sizeof(T)) pack {
  T at[4];
};

template <class T>
__device__ __forceinline__ pack<T> load_pack(const T* aligned) {
  return *reinterpret_cast<const pack<T>*>(aligned);
}

template <class T>
__device__ __forceinline__ void store_pack(T* aligned, const pack<T>& value) {
  *reinterpret_cast<pack<T>*>(aligned) = value;
}

#ifdef __CUDACC__

constexpr DLDeviceType device_type = kDLCUDA;

// Starts the kernel on the stream; the arguments are converted to its parameters' types. Returns
// the cudaError_t, 0 for success.
template <class... Parameters>
int launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, void* stream,
           as_is<Parameters>... arguments) {
  void* pointers[] = {&arguments...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0,
                          static_cast<cudaStream_t>(stream));
}

// Copies host memory to the device in stream order. Pageable `from` may be freed after the return:
// the runtime has staged it by then.
inline int upload(void* to, const void* from, std::size_t bytes, void* stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                         static_cast<cudaStream_t>(stream));
}

inline const char* launch_error(int code) {
  return cudaGetErrorString(static_cast<cudaError_t>(code));
}

template <class Block, class... Parameters>
__global__ void run_block(Parameters... arguments) {
  __shared__ typename Block::shared shared;
  Block::begin(shared, arguments...);
  __syncthreads();
  Block::update(shared, arguments...);
}

// Starts a kernel whose blocks work in two phases: Block::begin(shared, arguments...) in every
// thread, and when all are through, Block::update with the same.
template <class Block, class... Arguments>
int launch_in_phases(dim3 grid, dim3 block, void* stream, const Arguments&... arguments) {
  return launch(run_block<Block, Arguments...>, grid, block, stream, arguments...);
}

// Counts and returns what the count was before, whoever else counts meanwhile.
__device__ __forceinline__ unsigned count_one(unsigned* counter) {
  return atomicAdd(counter, 1u);
}

#else

constexpr DLDeviceType device_type = kDLCPU;

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
};

inline thread_local dim3 gridDim, blockDim, blockIdx, threadIdx;

template <class Visit>
void for_each_index(dim3 extent, dim3& index, const Visit& visit) {
  for (index.z = 0; index.z < extent.z; ++index.z) {
    for (index.y = 0; index.y < extent.y; ++index.y) {
      for (index.x = 0; index.x < extent.x; ++index.x) visit();
    }
  }
}

// Runs the kernel for every thread of every block, in order.
template <class... Parameters>
int launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, void* /*stream*/,
           const as_is<Parameters>&... arguments) {
  gridDim = grid;
  blockDim = block;
  for_each_index(grid, blockIdx,
                 [&] { for_each_index(block, threadIdx, [&] { kernel(arguments...); }); });
  return 0;
}

template <class Block, class... Arguments>
int launch_in_phases(dim3 grid, dim3 block, void* /*stream*/, const Arguments&... arguments) {
  gridDim = grid;
  blockDim = block;
  for_each_index(grid, blockIdx, [&] {
    typename Block::shared shared;
    std::memset(&shared, 0xa5, sizeof shared);  // what a block finds there is nobody's
    for_each_index(block, threadIdx, [&] { Block::begin(shared, arguments...); });
    for_each_index(block, threadIdx, [&] { Block::update(shared, arguments...); });
  });
  return 0;
}

inline unsigned count_one(unsigned* counter) {
  return (*counter)++;
}

inline int upload(void* to, const void* from, std::size_t bytes, void* /*stream*/) {
  std::memcpy(to, from, bytes);
  return 0;
}

inline const char* launch_error(int /*code*/) {
  return "The launch failed.";
}

#endif

}  // namespace driftgate::kernels::DG_BACKEND
