#include "gate/host/scalar_tensors.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace driftgate::gate::host {
namespace {

std::uint64_t bits_of(const scalar_tensor& scalar, const properties::step_arguments& at) {
  if (scalar.is_counter()) return static_cast<std::uint64_t>(at.step - 1);
  for (const auto& [name, value] : at.scalars) {
    if (name != scalar.role) continue;
    const auto single = static_cast<float>(value);
    if (single != value) throw std::invalid_argument(fmt::format("a job whose {} is no f32", name));
    return std::bit_cast<std::uint32_t>(single);
  }
  throw std::invalid_argument(fmt::format("a job without {}", scalar.role));
}

std::string words(const scalar_tensor& scalar, std::uint64_t bits) {
  if (scalar.is_counter()) return fmt::format("{}", static_cast<std::int64_t>(bits));
  return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

}  // namespace

scalar_tensors::scalar_tensors(const std::set<std::string>& roles) {
  for (const std::string& role : roles) tensors_.push_back({role});
}

std::vector<std::uint64_t> scalar_tensors::wanted(const properties::step_arguments& next) const {
  std::vector<std::uint64_t> bits;
  for (const scalar_tensor& scalar : tensors_) bits.push_back(bits_of(scalar, next));
  return bits;
}

bool scalar_tensors::would_change(const properties::step_arguments& next) const {
  return wanted(next) != held_;
}

void scalar_tensors::count(const properties::step_arguments& done) {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].is_counter() && !is_skipped(done)) ++held_[i];
  }
}

std::string scalar_tensors::clause(std::size_t i, std::uint64_t found) const {
  return fmt::format("{} holds {} where {} belongs", tensors_[i].role, words(tensors_[i], found),
                     words(tensors_[i], held_[i]));
}

}  // namespace driftgate::gate::host
