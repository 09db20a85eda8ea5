// From the words of a kernel's table (driftgate/kernel.h) to its contract.
#pragma once

#include <stdexcept>
#include <string>

#include "properties/contract.hpp"

namespace driftgate::properties {

// The strings of a dg_kernel as they are; NULL is the empty string.
struct contract_words {
  std::string name, rule, device, dtypes, options, numerics, budget;

  bool operator==(const contract_words&) const = default;
};

// The words are no contract: one is missing, unknown, said twice or out of range. The message is
// one sentence that names the word and lists what is known.
struct contract_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The words are a contract of the ABI, but this version of driftgate cannot verify it.
struct unsupported_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws contract_error or unsupported_error. Whether the rule has these roles and options is for
// the caller to check: a contract knows no rule.
contract parse_contract(const contract_words& words);

}  // namespace driftgate::properties
