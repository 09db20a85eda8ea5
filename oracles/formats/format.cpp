// The formats' names.
#include "oracles/formats/format.hpp"

#include <array>

namespace driftgate::formats {
namespace {

constexpr std::array<std::string_view, 4> names = {"f32", "bf16", "f16", "f64"};

}  // namespace

std::optional<format_id> parse(std::string_view name) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<format_id>(found - names.begin());
}

std::string_view name(format_id format) {
  return names[static_cast<std::size_t>(format)];
}

}  // namespace driftgate::formats
