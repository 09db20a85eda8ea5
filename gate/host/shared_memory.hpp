// Memory that the gate owns and its child maps, too. It has no name in any file system.
#pragma once

#include <cstddef>

#include "gate/host/file_descriptor.hpp"

namespace driftgate::gate::host {

class shared_memory {
 public:
  explicit shared_memory(const char* name);
  ~shared_memory();
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  // Makes it at least so large; data() may move. Throws std::system_error.
  void grow(std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_.get(); }

 private:
  file_descriptor descriptor_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

std::size_t page_bytes();

// The next multiple of `unit`, a power of two.
constexpr std::size_t align_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) & ~(unit - 1);
}

}  // namespace driftgate::gate::host
