#include "gate/host/shared_memory.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace driftgate::gate::host {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

shared_memory::shared_memory(const char* name)
    : descriptor_(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), "memfd_create") {
  // A kernel that shrinks it would kill the gate, not itself.
  if (fcntl(descriptor_.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
    throw std::system_error(errno, std::generic_category(), "fcntl(F_ADD_SEALS)");
  }
  grow(1);
}

shared_memory::~shared_memory() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

void shared_memory::grow(std::size_t bytes) {
  if (bytes <= bytes_) return;
  // By at least half, so that slowly growing jobs do not map it again each time.
  const std::size_t larger = align_up(std::max(bytes, bytes_ + bytes_ / 2), page_bytes());
  if (ftruncate(descriptor_.get(), static_cast<off_t>(larger)) != 0) {
    throw std::system_error(errno, std::generic_category(), "ftruncate of shared memory");
  }
  void* data = mmap(nullptr, larger, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (data == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "mmap of shared memory");
  }
  if (data_ != nullptr) munmap(data_, bytes_);
  data_ = static_cast<std::byte*>(data);
  bytes_ = larger;
}

}  // namespace driftgate::gate::host
