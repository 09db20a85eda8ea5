// What a rule says of itself: for `driftgate explain`, for validating contracts, for generating
// cases.
#pragma once

#include <string>
#include <vector>

namespace driftgate::rules {

// How a quantity scales when the gradient, or the parameter, is scaled: 2 is with the square.
struct powers {
  int gradient = 0;
  int parameter = 0;
};

struct role {
  std::string name;
  bool is_mutable = false;  // updated in place by a step
  std::string meaning;
  std::string at_step_1;      // the state's contents before the first step
  std::string option;         // the option under which it takes part; empty: always
  bool non_negative = false;  // the rule keeps it >= 0, and takes its square root
  powers scales;
  std::vector<std::string> inputs;  // the roles its new value depends on (mutable roles only)
};

struct scalar {
  std::string name;
  double usual = 0;  // the default of the documented optimizer
  std::string range;
  std::string meaning;
  powers scales;
};

struct option {
  std::string name;
  std::string meaning;
};

struct description {
  std::string name;
  std::string title;
  std::string source;
  std::vector<std::string> equations;
  std::vector<role> roles;      // the order in which the oracle sees them
  std::vector<scalar> scalars;  // options' switches are scalars too (0 or 1), of the same name
  std::vector<option> options;

  bool is_option(const std::string& wanted) const {
    for (const option& o : options) {
      if (o.name == wanted) return true;
    }
    return false;
  }
  const role* find_role(const std::string& wanted) const {
    for (const role& r : roles) {
      if (r.name == wanted) return &r;
    }
    return nullptr;
  }
};

}  // namespace driftgate::rules
