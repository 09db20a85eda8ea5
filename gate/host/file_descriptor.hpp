// A file descriptor that is closed with its owner.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace driftgate::gate::host {

class file_descriptor {
 public:
  file_descriptor() = default;
  // Takes the result of a system call; throws std::system_error if the call failed.
  file_descriptor(int number, const char* call) : number_(number) {
    if (number < 0) throw std::system_error(errno, std::generic_category(), call);
  }
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~file_descriptor() {
    if (number_ >= 0) close(number_);
  }

  int get() const { return number_; }

 private:
  int number_ = -1;
};

}  // namespace driftgate::gate::host
