#include "gate/host/guard_pattern.hpp"

#include <algorithm>
#include <cstring>

namespace driftgate::gate::host {
namespace {

// A prime, so that no power of two between source and destination copies the pattern onto itself.
constexpr std::size_t period = 65521;

}  // namespace

guard_pattern::guard_pattern(std::uint64_t seed) : random_(seed), bytes_(period) {
  for (std::byte& byte : bytes_) byte = static_cast<std::byte>(random_() >> 56);
}

void guard_pattern::renew() {
  shift_ = random_() % period;
}

void guard_pattern::fill(std::byte* memory, std::size_t begin, std::size_t end) const {
  while (begin < end) {
    const std::size_t at = (begin + shift_) % period;
    const std::size_t count = std::min(end - begin, period - at);
    std::memcpy(memory + begin, &bytes_[at], count);
    begin += count;
  }
}

std::optional<std::size_t> guard_pattern::first_change(const std::byte* memory, std::size_t begin,
                                                       std::size_t end) const {
  while (begin < end) {
    const std::size_t at = (begin + shift_) % period;
    const std::size_t count = std::min(end - begin, period - at);
    if (std::memcmp(memory + begin, &bytes_[at], count) != 0) {
      const std::byte* here = memory + begin;
      return begin +
             static_cast<std::size_t>(std::mismatch(here, here + count, &bytes_[at]).first - here);
    }
    begin += count;
  }
  return std::nullopt;
}

}  // namespace driftgate::gate::host
