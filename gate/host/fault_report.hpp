// The last packet of a child that dies of a memory access: which address it was.
#pragma once

#include <cstddef>
#include <cstdint>

namespace driftgate::gate::host {

// What the signal handler needs to know; it can be given nothing else.
struct fault_context {
  std::uint64_t nonce = 0;  // of the command that is being served
  const std::byte* arena = nullptr;
  std::size_t arena_bytes = 0;
};
extern fault_context current_fault_context;

// From now on a segmentation fault or bus error sends a reply of kind `fault` before it kills the
// process, on a stack of its own, so that an exhausted stack is reported, too.
void report_faults();

}  // namespace driftgate::gate::host
