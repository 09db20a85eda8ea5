// What a fuzz target demands of what it has read.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace driftgate::fuzz {

// Ends the process where the fuzzer sees it.
inline void require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", sentence);
  std::abort();
}

}  // namespace driftgate::fuzz
