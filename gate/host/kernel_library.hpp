// The kernels that a child can call: those of a plugin, or the program's own.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "gate/host/child.hpp"

namespace driftgate::gate::host {

// A table that cannot be used. The message is a clause: "kernel 2 has no step".
struct unusable_table : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Copies of the tables, checked: all that is required is there, and what the struct of an older
// caller lacks is NULL. `plugin` empty: the program's own. Throws unusable_table.
std::vector<dg_kernel> load_kernels(const std::string& plugin, const kernel_table& in_tree);

// Name, rule, device, dtypes, options, numerics and budget, each with its NUL.
std::string words_of(const dg_kernel& kernel);

}  // namespace driftgate::gate::host
