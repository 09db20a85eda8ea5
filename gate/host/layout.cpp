#include "gate/host/layout.hpp"

#include <dlpack/dlpack.h>
#include <fmt/format.h>

#include <stdexcept>

namespace driftgate::gate::host {
namespace {

DLDataTypeCode type_code(formats::format_id format) {
  return format == formats::format_id::bf16 ? kDLBfloat : kDLFloat;
}

bool is_a_scalar_of_the_rule(std::string_view name) {
  return name != rules::grad_scale && name != rules::found_inf;
}

}  // namespace

std::vector<role_format> formats_of(const properties::job& job,
                                    const properties::contract& promised) {
  std::vector<role_format> roles;
  for (const properties::role_data& given : job.roles) {
    auto format = promised.dtypes.find(given.role);
    if (format == promised.dtypes.end()) format = promised.dtypes.find("param");
    if (format == promised.dtypes.end()) {
      throw std::invalid_argument(
          fmt::format("a job with role \"{}\", which has no dtype", given.role));
    }
    roles.push_back({given.role, format->second});
  }
  return roles;
}

void write_layout(word_writer& script, std::size_t kernel, const placement& place,
                  std::span<const std::int64_t> sizes, std::span<const role_format> roles,
                  std::span<const scalar_tensor> scalar_roles) {
  script.number(kernel);
  const extent& workspace = place.items.back();
  script.number(workspace.bytes() == 0 ? no_data : workspace.begin);
  script.number(workspace.bytes());
  script.number(roles.size());
  script.number(sizes.size());
  for (const std::int64_t size : sizes) script.number(static_cast<std::uint64_t>(size));
  script.number(scalar_roles.size());
  const extent* item = place.items.data();
  for (const auto& [role, format] : roles) {
    script.text(role);
    script.number(type_code(format));
    script.number(8 * formats::bytes(format));
    for (std::size_t i = 0; i < sizes.size(); ++i, ++item) {
      // An empty tensor has an address or not: a kernel must do with both.
      script.number(item->bytes() == 0 && i % 2 == 1 ? no_data : item->begin);
    }
  }
  for (const scalar_tensor& scalar : scalar_roles) {
    script.text(scalar.role);
    script.number(scalar.is_counter() ? kDLInt : kDLFloat);
    script.number(8 * scalar.bytes());
    script.number((item++)->begin);
  }
}

void write_arguments(word_writer& arguments, const properties::step_arguments& given,
                     const std::set<std::string>& scalar_roles) {
  constexpr std::int64_t other_step = 41;
  const bool counted = scalar_roles.contains("step");
  arguments.number(static_cast<std::uint64_t>(given.step + (counted ? other_step : 0)));
  arguments.number(given.seed);
  std::size_t passed = 0;
  for (const auto& [name, value] : given.scalars) passed += is_a_scalar_of_the_rule(name);
  arguments.number(passed);
  for (const auto& [name, value] : given.scalars) {
    if (!is_a_scalar_of_the_rule(name)) continue;
    arguments.real(scalar_roles.contains(name) ? 0.5 * value + 0.25 : value);
    arguments.text(name);
  }
}

}  // namespace driftgate::gate::host
