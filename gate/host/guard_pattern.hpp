// The bytes that lie around the tensors: what a stray write changes, and what a stray read gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace driftgate::gate::host {

class guard_pattern {
 public:
  explicit guard_pattern(std::uint64_t seed);

  // Other bytes from now on.
  void renew();

  void fill(std::byte* memory, std::size_t begin, std::size_t end) const;

  // The first offset at which the memory no longer holds the pattern.
  std::optional<std::size_t> first_change(const std::byte* memory, std::size_t begin,
                                          std::size_t end) const;

 private:
  std::mt19937_64 random_;
  // Repeated over the memory. Kept here, out of the child's reach.
  std::vector<std::byte> bytes_;
  std::size_t shift_ = 0;
};

}  // namespace driftgate::gate::host
