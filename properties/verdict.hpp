// The closed set of verdicts on a kernel.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace driftgate::properties {

enum class verdict {
  verified,
  diverged,      // an output outside its budget
  biased,        // inside the budget, and always to the same side
  nan_mismatch,  // NaN or infinity where the rule has none, or the reverse
  unwritten,     // the bits are still the input's where exact +- budget excludes them
  out_of_bounds_write,
  input_modified,
  nondeterministic,
  bits_differ,  // split, permuted, re-aligned, resumed
  error_code,
  crashed,
  timed_out,
  budget_exceeded,
  ill_posed,  // too few cases had a meaningful budget
  skipped
};

inline constexpr std::array<std::string_view, 15> verdict_names{
    "verified",        "diverged",         "biased",
    "nan_mismatch",    "unwritten",        "out_of_bounds_write",
    "input_modified",  "nondeterministic", "bits_differ",
    "error_code",      "crashed",          "timed_out",
    "budget_exceeded", "ill_posed",        "skipped"};

constexpr std::string_view name(verdict v) {
  return verdict_names[static_cast<std::size_t>(v)];
}

constexpr std::optional<verdict> find_verdict(std::string_view named) {
  for (std::size_t v = 0; v < verdict_names.size(); ++v) {
    if (verdict_names[v] == named) return static_cast<verdict>(v);
  }
  return std::nullopt;
}

// Whether the kernel is wrong. `ill_posed` and `skipped` say that nobody knows.
constexpr bool is_failure(verdict v) {
  return v != verdict::verified && v != verdict::ill_posed && v != verdict::skipped;
}

}  // namespace driftgate::properties
