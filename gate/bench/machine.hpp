// Where a benchmark runs: the host or a CUDA device, as memory, a clock and a copy.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace driftgate::gate::bench {

class machine {
 public:
  virtual ~machine() = default;
  virtual std::string name() const = 0;
  // Memory for so many bytes, the same at every call, and its contents: a pattern of small positive
  // floats. May throw device::failure or std::bad_alloc.
  virtual std::byte* memory(std::size_t bytes) = 0;
  virtual void* stream() const = 0;
  // Seconds that the work takes, by the device's clock where there is one.
  virtual double seconds(const std::function<void()>& work) = 0;
  virtual void write(std::byte* to, std::span<const std::byte> from) = 0;
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
};

std::unique_ptr<machine> host_machine();
std::unique_ptr<machine> cuda_machine();

}  // namespace driftgate::gate::bench
