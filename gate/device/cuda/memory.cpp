#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gate/device/cuda/call.hpp"
#include "gate/device/cuda/kernels.hpp"

namespace driftgate::gate::device {
namespace {

// CUDA shares memory between processes by whole blocks; a multiple of this is a block of its own.
constexpr std::size_t block_bytes = std::size_t{2} << 20;

std::string find_what_is_missing() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  cudaGetLastError();
  if (error == cudaSuccess && devices > 0) return "";
  return fmt::format("no CUDA device can be used: {}",
                     error == cudaSuccess ? "there is none" : cudaGetErrorString(error));
}

std::string describe_device() {
  if (!missing().empty()) return "";
  cudaDeviceProp properties{};
  int driver = 0, runtime = 0;
  call(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  call(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  call(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  const auto version = [](int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
  };
  return fmt::format("{}, {} MiB, driver {}, runtime {}", properties.name,
                     properties.totalGlobalMem >> 20, version(driver), version(runtime));
}

std::size_t of_memory(bool free) {
  std::size_t available = 0, total = 0;
  call(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  return free ? available : total;
}

}  // namespace

const std::string& missing() {
  static const std::string reason = find_what_is_missing();
  return reason;
}

const std::string& description() {
  static const std::string text = describe_device();
  return text;
}

memory::~memory() {
  free_old();
  cudaFree(data_);
}

void memory::free_old() {
  for (std::byte* data : old_) cudaFree(data);
  old_.clear();
}

void memory::grow(std::size_t bytes) {
  if (bytes <= bytes_) return;
  const std::size_t wanted = (bytes + block_bytes - 1) / block_bytes * block_bytes;
  void* start = nullptr;
  call(cudaMalloc(&start, wanted), "cudaMalloc of the tensors' memory");
  if (data_ != nullptr) old_.push_back(data_);
  data_ = static_cast<std::byte*>(start);
  bytes_ = wanted;
}

void memory::write(std::size_t at, const std::byte* from, std::size_t bytes) {
  call(cudaMemcpy(data_ + at, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  // The copy of pageable memory may still be under way.
  call(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void memory::read(std::size_t at, std::byte* to, std::size_t bytes) const {
  call(cudaMemcpy(to, data_ + at, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
}

void memory::repeat(std::size_t at, std::size_t period, std::size_t bytes) {
  for (std::size_t done = period; done < bytes;) {
    const std::size_t more = std::min(done, bytes - done);
    call(cudaMemcpy(data_ + at + done, data_ + at, more, cudaMemcpyDeviceToDevice),
         "cudaMemcpy on the device");
    done += more;
  }
  call(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

std::size_t memory::first_aperiodic(std::size_t at, std::size_t period, std::size_t bytes) const {
  unsigned long long first = bytes;
  void* found = nullptr;
  call(cudaMalloc(&found, sizeof first), "cudaMalloc of a result");
  const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
    return cudaMemcpy(to, from, sizeof first, kind);
  };
  cudaError_t error = copy(found, &first, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    launch_first_aperiodic(data_ + at, period, bytes, static_cast<unsigned long long*>(found),
                           nullptr);
    error = copy(&first, found, cudaMemcpyDeviceToHost);
  }
  cudaFree(found);
  call(error, "comparing on the device");
  return first;
}

handle memory::share() const {
  cudaIpcMemHandle_t shared;
  call(cudaIpcGetMemHandle(&shared, data_), "cudaIpcGetMemHandle");
  handle words{};
  static_assert(sizeof shared == sizeof words);
  std::memcpy(words.data(), &shared, sizeof shared);
  return words;
}

std::size_t memory::total() {
  return of_memory(false);
}

std::size_t memory::available() {
  return of_memory(true);
}

}  // namespace driftgate::gate::device
