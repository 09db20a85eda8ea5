// The closed set of verdicts on a kernel.
#pragma once

#include <array>
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

}  // namespace driftgate::properties
