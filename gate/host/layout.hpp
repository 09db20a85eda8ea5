// What the child reads of a job (child_plan.cpp): where its tensors lie, and a step's arguments.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/host/placement.hpp"
#include "gate/host/protocol.hpp"
#include "gate/host/scalar_tensors.hpp"
#include "oracles/formats/format.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

struct role_format {
  std::string_view role;
  formats::format_id format;
};

// The job's roles with their formats. A rule's role that the contract does not name (the state of
// an option that the kernel does not know) has the parameter's.
std::vector<role_format> formats_of(const properties::job& job,
                                    const properties::contract& promised);

// The placement's items are the tensors, list after list, the scalar roles, and then the workspace.
void write_layout(word_writer& script, std::size_t kernel, const placement& place,
                  std::span<const std::int64_t> sizes, std::span<const role_format> roles,
                  std::span<const scalar_tensor> scalar_roles);

// What a scalar role holds is another number here: nobody is to read this one.
void write_arguments(word_writer& arguments, const properties::step_arguments& given,
                     const std::set<std::string>& scalar_roles);

}  // namespace driftgate::gate::host
