// Calls into code under test, whose exceptions must not pass for the suite's own.
#pragma once

#include <exception>
#include <string>

namespace driftgate::gate::host {

// An exception that left a kernel's function, and what it said.
struct kernel_exception {
  std::string what;
};

template <class Call>
auto guarded(const Call& call) {
  try {
    return call();
  } catch (const std::exception& thrown) {
    throw kernel_exception{thrown.what()};
  } catch (...) {
    throw kernel_exception{};
  }
}

}  // namespace driftgate::gate::host
