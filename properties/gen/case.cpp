#include "properties/gen/case.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace driftgate::properties {

const char* name(distribution d) {
  constexpr const char* names[distribution_count] = {
      "training",         "cancelling", "edges",          "bits",
      "subnormals",       "zeros",      "update_visible", "decay_visible",
      "division_visible", "specials",   "sparse"};
  return names[static_cast<std::uint32_t>(d)];
}

std::int64_t case_spec::elements() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  // splitmix64's finalizer (Steele, Lea, Flood, OOPSLA 2014) over a Weyl sequence of the counters.
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u * (a + 1) + 0xd1342543de82ef95u * b;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

expanded_case expand(const case_spec& spec, const rules::description& rule) {
  expanded_case result;
  for (const rules::role& role : rule.roles) {
    result.roles.push_back(role.name);
    result.formats.push_back(role.format);
    result.data.emplace_back(static_cast<std::size_t>(spec.elements()));
    draw_role(spec, rule, role, result.data.back());
  }
  return result;
}

std::vector<std::byte> encode(formats::format_id format, std::span<const float> values) {
  if (format == formats::format_id::f32) {
    const auto bytes = std::as_bytes(values);
    return {bytes.begin(), bytes.end()};
  }
  std::vector<std::uint16_t> patterns(values.size());
  std::transform(values.begin(), values.end(), patterns.begin(), [=](float value) {
    return static_cast<std::uint16_t>(formats::encode(format, value));
  });
  const auto bytes = std::as_bytes(std::span(patterns));
  return {bytes.begin(), bytes.end()};
}

std::vector<float> decode(formats::format_id format, std::span<const std::byte> bytes) {
  std::vector<float> values(bytes.size() / formats::bytes(format));
  if (bytes.empty()) return values;
  if (format == formats::format_id::f32) {
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::vector<std::uint16_t> patterns(values.size());
  std::memcpy(patterns.data(), bytes.data(), bytes.size());
  std::transform(patterns.begin(), patterns.end(), values.begin(), [=](std::uint16_t pattern) {
    return static_cast<float>(formats::decode(format, pattern));
  });
  return values;
}

job make_job(const case_spec& spec, const expanded_case& data) {
  job j;
  j.sizes = spec.sizes;
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    j.roles.push_back({data.roles[r], encode(data.formats[r], data.data[r])});
  }
  step_arguments arguments;
  arguments.step = spec.step;
  arguments.scalars.assign(spec.scalars.begin(), spec.scalars.end());
  arguments.seed = mix(spec.seed, 77);
  j.steps.push_back(std::move(arguments));
  return j;
}

void input_statistics::add(const expanded_case& data) {
  for (std::size_t r = 0; r < data.data.size(); ++r) {
    const double smallest_normal = formats::traits(data.formats[r]).smallest_normal;
    for (const float x : data.data[r]) {
      const std::uint32_t fraction = std::bit_cast<std::uint32_t>(x) & 0x7fffffu;
      const bool is_subnormal = x != 0 && std::fabs(x) < smallest_normal;
      subnormal += is_subnormal;
      zero += x == 0;
      infinite += std::isinf(x);
      nan += std::isnan(x);
      power_of_two += x != 0 && std::isfinite(x) && !is_subnormal && fraction == 0;
    }
    count += data.data[r].size();
  }
}

}  // namespace driftgate::properties
