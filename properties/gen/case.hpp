// A generated case: a small description that shrinks well, and the tensors that it stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "oracles/formats/format.hpp"
#include "oracles/rules/evaluator.hpp"
#include "properties/subject.hpp"

namespace driftgate::properties {

// How the elements of a case are drawn. Element i of a role depends on (seed, role, first + i)
// only, so that splitting, permuting or shrinking a list moves elements but changes none.
enum class distribution : std::uint32_t {
  training,          // log-uniform magnitudes as in training; v near g^2
  cancelling,        // beta1 m + (1 - beta1) g nearly 0, |m| << |g|, v near g^2
  edges,             // powers of two and their neighbours, ties, the ends of the format's range
  bits,              // uniform over all finite bit patterns
  subnormals,        // mostly below the smallest normal number
  zeros,             // many exact zeros of either sign
  update_visible,    // p = 0: the update is not hidden behind the parameter
  decay_visible,     // g = m = 0: only the decay moves the parameter
  division_visible,  // a small parameter, a large moment: the division's last bits show
  specials,          // NaN, infinities, zeros of both signs, overflow
  sparse             // training, and rows of 64 elements without gradient or momentum
};
inline constexpr std::uint32_t distribution_count = 11;
const char* name(distribution d);

struct case_spec {
  std::uint64_t seed = 0;
  distribution draw = distribution::training;
  std::vector<std::int64_t> sizes;
  std::uint64_t first = 0;
  std::int64_t step = 1;
  std::map<std::string, double> scalars;

  std::int64_t elements() const;
  bool operator==(const case_spec&) const = default;
};

// The tensors of a case: one flat array a role, in the rule's order. A narrower format's elements
// are the floats of the same value.
struct expanded_case {
  std::vector<std::string> roles;
  std::vector<formats::format_id> formats;
  std::vector<std::vector<float>> data;
};

// A well-mixed 64-bit number from a seed and two counters.
std::uint64_t mix(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0);

// `rule` as the contract has it: its roles and their formats.
expanded_case expand(const case_spec& spec, const rules::description& rule);

// The elements of a flat array from `first` on drawn for one role of the rule (as expand does).
void draw_role(const case_spec& spec, const rules::description& rule, const rules::role& role,
               std::vector<float>& into);

// A role's elements as its tensors hold them, and back; f32 or a format of 16 bits.
std::vector<std::byte> encode(formats::format_id format, std::span<const float> values);
std::vector<float> decode(formats::format_id format, std::span<const std::byte> bytes);

job make_job(const case_spec& spec, const expanded_case& data);

// What share of the drawn input elements is of which kind.
struct input_statistics {
  std::uint64_t count = 0, subnormal = 0, zero = 0, infinite = 0, nan = 0, power_of_two = 0;
  std::uint64_t outputs_sampled = 0, ties = 0;

  void add(const expanded_case& data);
};

}  // namespace driftgate::properties
