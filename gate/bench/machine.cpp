#include "gate/bench/machine.hpp"

#include <chrono>
#include <cstring>
#include <vector>

#include "gate/device/device.hpp"
#include "gate/records/record.hpp"

namespace driftgate::gate::bench {
namespace {

// Enough that no repetition of it lies in one cache line; zeros would run faster than data does.
std::vector<float> pattern() {
  std::vector<float> values((std::size_t{1} << 18) + 1);
  std::uint64_t state = 1;
  for (float& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = 0x1p-10F * (1 + static_cast<float>(state >> 40));
  }
  return values;
}

class host final : public machine {
 public:
  std::string name() const override { return processor(); }
  std::byte* memory(std::size_t bytes) override {
    const std::vector<float> values = pattern();
    const std::size_t period = values.size() * sizeof(float);
    bytes_.resize(bytes);
    for (std::size_t at = 0; at < bytes; at += period) {
      std::memcpy(&bytes_[at], values.data(), std::min(period, bytes - at));
    }
    return bytes_.data();
  }
  void* stream() const override { return nullptr; }
  double seconds(const std::function<void()>& work) override {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  void write(std::byte* to, std::span<const std::byte> from) override {
    std::memcpy(to, from.data(), from.size());
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }

 private:
  std::vector<std::byte> bytes_;
};

class cuda final : public machine {
 public:
  std::string name() const override { return device::description(); }
  std::byte* memory(std::size_t bytes) override {
    const std::vector<float> values = pattern();
    const std::size_t period = values.size() * sizeof(float);
    memory_.grow(std::max(bytes, period));
    memory_.free_old();
    memory_.write(0, reinterpret_cast<const std::byte*>(values.data()), period);
    memory_.repeat(0, period, bytes);
    return memory_.data();
  }
  void* stream() const override { return watch_.stream(); }
  double seconds(const std::function<void()>& work) override {
    watch_.start();
    work();
    return watch_.stop();
  }
  void write(std::byte* to, std::span<const std::byte> from) override {
    memory_.write(static_cast<std::size_t>(to - memory_.data()), from.data(), from.size());
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    watch_.copy(to, from, bytes);
  }

 private:
  device::memory memory_;
  device::stopwatch watch_;
};

}  // namespace

std::unique_ptr<machine> host_machine() {
  return std::make_unique<host>();
}
std::unique_ptr<machine> cuda_machine() {
  return std::make_unique<cuda>();
}

}  // namespace driftgate::gate::bench
