#include "gate/host/layout.hpp"

#include <dlpack/dlpack.h>
#include <fmt/format.h>

#include <stdexcept>

namespace driftgate::gate::host {
namespace {

DLDataTypeCode type_code(formats::format_id format) {
  return format == formats::format_id::bf16 ? kDLBfloat : kDLFloat;
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
                  std::span<const std::int64_t> sizes, std::span<const role_format> roles) {
  script.number(kernel);
  const extent& workspace = place.items.back();
  script.number(workspace.bytes() == 0 ? no_data : workspace.begin);
  script.number(workspace.bytes());
  script.number(roles.size());
  script.number(sizes.size());
  for (const std::int64_t size : sizes) script.number(static_cast<std::uint64_t>(size));
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
}

void write_arguments(word_writer& arguments, const properties::step_arguments& given) {
  arguments.number(static_cast<std::uint64_t>(given.step));
  arguments.number(given.seed);
  arguments.number(given.scalars.size());
  for (const auto& [name, value] : given.scalars) {
    arguments.real(value);
    arguments.text(name);
  }
}

}  // namespace driftgate::gate::host
