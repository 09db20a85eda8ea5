// Roles of one element that a kernel of any rule may list: what a captured step reads anew at every
// replay, and how a step is skipped without asking the host.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace driftgate::rules {

struct scalar_role {
  std::string_view name;
  std::string_view format;
  std::string_view meaning;
};

inline constexpr std::array<scalar_role, 4> scalar_roles{
    {{"step", "i64",
      "steps taken so far, 0 at first; counted up in place, then read in place of dg_step's"},
     {"lr", "f32", "read in place of the scalar"},
     {"grad_scale", "f32", "the step begins with g = grad / grad_scale; grad itself stays"},
     {"found_inf", "f32", "unless it is 0 the step changes nothing, step included"}}};

inline const scalar_role* find_scalar_role(std::string_view wanted) {
  for (const scalar_role& role : scalar_roles) {
    if (role.name == wanted) return &role;
  }
  return nullptr;
}

// Of a case's scalars, those that are passed in these roles only.
inline constexpr const char* grad_scale = "grad_scale";
inline constexpr const char* found_inf = "found_inf";

inline bool is_scaled(const std::map<std::string, double>& scalars) {
  return scalars.contains(grad_scale);
}
inline bool is_skipped(const std::map<std::string, double>& scalars) {
  const auto found = scalars.find(found_inf);
  return found != scalars.end() && found->second != 0;
}

}  // namespace driftgate::rules
