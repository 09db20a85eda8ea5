// The roles of one element (oracles/rules/scalar_roles.hpp) of a job: what they hold before each
// step, and what they must hold after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/subject.hpp"

namespace driftgate::gate::host {

struct scalar_tensor {
  std::string role;

  bool is_counter() const { return role == "step"; }
  std::size_t bytes() const { return is_counter() ? sizeof(std::int64_t) : sizeof(float); }
};

class scalar_tensors {
 public:
  explicit scalar_tensors(const std::set<std::string>& roles);

  const std::vector<scalar_tensor>& all() const { return tensors_; }

  // Puts down what the step reads: write(i, bytes) for each of all().
  template <class Write>
  void set(const properties::step_arguments& next, const Write& write) {
    held_ = wanted(next);
    for (std::size_t i = 0; i < tensors_.size(); ++i) write(i, bytes(held_[i], i));
  }
  // Whether that changes anything.
  bool would_change(const properties::step_arguments& next) const;
  // The step has been taken, or skipped.
  void count(const properties::step_arguments& done);
  // The first that does not hold what it must, by read(i, bytes): its role, and a clause.
  template <class Read>
  std::optional<std::pair<std::string, std::string>> wrong(const Read& read) const {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      std::uint64_t found = 0;
      read(i, std::as_writable_bytes(std::span(&found, 1)).first(tensors_[i].bytes()));
      if (found != held_[i]) return std::pair(tensors_[i].role, clause(i, found));
    }
    return std::nullopt;
  }

 private:
  std::span<const std::byte> bytes(const std::uint64_t& bits, std::size_t i) const {
    return std::as_bytes(std::span(&bits, 1)).first(tensors_[i].bytes());
  }
  std::string clause(std::size_t i, std::uint64_t found) const;
  std::vector<std::uint64_t> wanted(const properties::step_arguments& next) const;

  std::vector<scalar_tensor> tensors_;
  // Their bits, the upper ones of a float 0; empty before the first step.
  std::vector<std::uint64_t> held_;
};

}  // namespace driftgate::gate::host
