#include "properties/gen/case.hpp"

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
    result.data.emplace_back(static_cast<std::size_t>(spec.elements()));
    draw_role(spec, role, result.data.back());
  }
  return result;
}

job make_job(const case_spec& spec, const expanded_case& data) {
  job j;
  j.sizes = spec.sizes;
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    const auto bytes = std::as_bytes(std::span(data.data[r]));
    j.roles.push_back({data.roles[r], {bytes.begin(), bytes.end()}});
  }
  step_arguments arguments;
  arguments.step = spec.step;
  arguments.scalars.assign(spec.scalars.begin(), spec.scalars.end());
  arguments.seed = mix(spec.seed, 77);
  j.steps.push_back(std::move(arguments));
  return j;
}

void input_statistics::add(const expanded_case& data) {
  for (const auto& role : data.data) {
    for (const float x : role) {
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) & 0x7fffffffu;
      const std::uint32_t exponent = bits >> 23;
      const std::uint32_t fraction = bits & 0x7fffffu;
      subnormal += exponent == 0 && fraction != 0;
      zero += bits == 0;
      infinite += exponent == 255 && fraction == 0;
      nan += exponent == 255 && fraction != 0;
      power_of_two += exponent != 0 && exponent != 255 && fraction == 0;
    }
    count += role.size();
  }
}

}  // namespace driftgate::properties
