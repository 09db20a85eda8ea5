// The child's side of the host: the process that the kernels run in.
#pragma once

#include <functional>
#include <vector>

#include "driftgate/kernel.h"

namespace driftgate::gate::host {

using kernel_table = std::function<std::vector<const dg_kernel*>()>;

// To be called first in main, with the program's own kernels. If the gate started this process as
// its child, serves it and ends the process; otherwise does nothing.
void run_if_child(int argc, char** argv, const kernel_table& in_tree);

}  // namespace driftgate::gate::host
