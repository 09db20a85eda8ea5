// The oracle of one rule at one step's scalars: decides for any elements whether a kernel's outputs
// are within the budget, and says what the exact values are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oracles/formats/format.hpp"
#include "oracles/rules/description.hpp"
#include "oracles/rules/evaluation.hpp"

namespace driftgate::rules {

inline constexpr std::size_t max_roles = 8;
inline constexpr std::size_t histogram_bins = 20;  // of error / allowed from 0 to 1; one more above
// Every 16th block of 128 elements is counted.
inline constexpr std::size_t histogram_sampling = 16;

// Hyperparameters by name; the doubles are exact.
using scalar_values = std::map<std::string, double>;

// How the kernel computes, as far as the budget depends on it.
struct arithmetic {
  formats::format_id compute = formats::format_id::f32;
  bool float_coefficients = false;  // hyperparameters are first rounded to f32
  double div_ulp = 0.5;
  double sqrt_ulp = 0.5;
  role_formats stored{};  // of the contract's roles; what it does not list is f32
};

// One pointer per role, in the description's order; null for a role that takes no part. A narrower
// format's elements come as the floats of the same value.
struct elements {
  std::size_t count = 0;
  std::array<const float*, max_roles> before{};
  std::array<const float*, max_roles> after{};
};

enum class tier { f64, double_double, mpfr_128, mpfr_256, mpfr_1024, special, ill_posed };
inline constexpr std::size_t tier_count = 7;
inline constexpr std::array<const char*, tier_count> tier_names{
    "double", "double_double", "mpfr_128", "mpfr_256", "mpfr_1024", "special", "ill_posed"};

struct worst_element {
  double ratio = -1;  // error / allowed; infinite where nothing but the exact value is allowed
  std::uint64_t index = 0;
};

// What has been judged of one output role.
struct output_tally {
  std::uint64_t blocks = 0;
  std::uint64_t judged = 0;
  std::uint64_t failed = 0;
  std::uint64_t nan_mismatches = 0;  // of those failed: finite where the rule is not, or reverse
  std::uint64_t unwritten = 0;       // of those failed: still the input's bits
  std::uint64_t unresolved = 0;      // not looked into, where enough have failed
  std::array<std::uint64_t, tier_count> tiers{};
  std::array<std::uint64_t, histogram_bins + 1> histogram{};
  std::uint64_t audited = 0;
  worst_element worst;
  std::uint64_t first_failure = ~std::uint64_t{0};

  void add(const output_tally& other);
};

using tally = std::array<output_tally, max_roles>;

// One element's output, in words.
struct verdict_on_element {
  std::string got, exact, allowed;
  double ratio = 0;
  bool passed = false;
  tier decided_by = tier::f64;
  // Of an output that is stored in a narrower format than it is computed in: the smallest and the
  // largest value that pass, which are the roundings of exact -+ allowed. Else empty.
  std::string least{}, greatest{};
};

// The suite cannot decide: precision exhausted, or the audit disagrees. Exit code 4.
struct oracle_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Which verdicts are computed again from the raw formula: a random 1 in 1024, at most `remaining`.
struct audit {
  std::uint64_t seed = 0;
  std::uint64_t remaining = 100'000;
  std::uint64_t passes = 0;  // so that every call of judge() draws others
};

class evaluator {
 public:
  virtual ~evaluator() = default;

  // Judges every element of every mutable role; adds to `into`. `first` is the global index of
  // element 0.
  virtual void judge(const elements& block, std::uint64_t first, tally& into) const = 0;

  // Values and budgets in double, per role (null: not wanted); not decided, for statistics and laws
  // that compare enclosures. Arrays of block.count.
  virtual void enclose(const elements& block, std::array<double*, max_roles> value,
                       std::array<double*, max_roles> error) const = 0;

  // Exact values as head + tail (about 100 bits), per role (null: not wanted). Arrays of
  // block.count.
  virtual void exact(const elements& block, std::array<double*, max_roles> head,
                     std::array<double*, max_roles> tail) const = 0;

  // One element's output role in full, at 256 bits.
  virtual verdict_on_element describe(const elements& block, std::size_t index,
                                      std::size_t role) const = 0;

  // Every stage and form of one element, at 256 bits.
  virtual std::vector<traced_form> trace(const elements& block, std::size_t index) const = 0;
};

class rule {
 public:
  virtual ~rule() = default;
  virtual const description& about() const = 0;
  // Throws std::invalid_argument where a scalar is missing or outside its range.
  // `auditor` may be null (no audit) and must outlive the evaluator.
  virtual std::unique_ptr<evaluator> at(std::int64_t step, const scalar_values& scalars,
                                        const arithmetic& how, audit* auditor) const = 0;
};

// Every known rule, by name; null if there is none of that name.
const rule* find_rule(const std::string& name);
std::vector<const rule*> all_rules();

// Makes a rule known; one static object per rule file.
struct rule_registration {
  explicit rule_registration(const rule* r);
};

}  // namespace driftgate::rules
