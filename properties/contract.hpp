// What a kernel promises (kernels/abi/include/driftgate/kernel.h), parsed from its table's words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracles/formats/format.hpp"

namespace driftgate::properties {

enum class rounding { nearest, stochastic };
enum class coefficients { f64, f32 };
enum class moments { either, stored, unrounded };

struct contract {
  std::string name;
  std::string rule;
  std::string device;
  std::map<std::string, formats::format_id> dtypes;  // by role
  std::set<std::string> scalar_roles;                // oracles/rules/scalar_roles.hpp
  std::set<std::string> options;
  formats::format_id compute = formats::format_id::f32;
  rounding round = rounding::nearest;
  coefficients coefficient = coefficients::f64;
  moments moment = moments::either;
  bool flush_subnormals = false;
  double div_ulp = 0.5;  // half an ulp: correctly rounded
  double sqrt_ulp = 0.5;
  std::optional<std::int64_t> sum_depth;
  bool reproducible = true;
  std::map<std::string, std::int64_t> budget;  // launches, copies, bytes; capture=yes as 1
  // The four strings as the kernel wrote them, for records.
  std::string dtypes_text, options_text, numerics_text, budget_text;
};

// The promises that no law of this version looks at, as their words: "budget launches=1",
// "moments=stored". A run says so instead of passing them over.
std::vector<std::string> unverified_promises(const contract& promised);

}  // namespace driftgate::properties
