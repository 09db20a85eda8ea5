// What a rule says of itself: for `driftgate explain`, for validating contracts, for generating
// cases.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracles/formats/format.hpp"
#include "oracles/rules/scalar_roles.hpp"

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
  // The role whose place it takes where a contract lists it, and only there; empty: every contract
  // has it. The step then reads this role instead, updates it, and gives that role a rounded copy.
  // Such a role stands behind all others: leaving it out moves none.
  std::string stands_for{};
  formats::format_id format = formats::format_id::f32;  // what its elements are stored in
};

// The format of each role that a contract lists.
using role_formats = std::map<std::string, formats::format_id>;

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
  std::set<std::string> scalar_roles{};  // those of scalar_roles.hpp that a contract lists

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

  // The rule as a kernel with these formats sees it: without the roles that may be left out and
  // are, and with every role's own format. A role that is not listed has the parameter's format.
  // What a scalar role adds to the rule is a scalar of a case.
  description stored_as(const role_formats& formats,
                        const std::set<std::string>& of_one_element = {}) const {
    description d = *this;
    d.scalar_roles = of_one_element;
    if (of_one_element.contains(grad_scale)) {
      d.scalars.push_back(
          {grad_scale, 65536, "(0, inf)", "what the gradient is multiplied by", {}});
    }
    if (of_one_element.contains(found_inf)) {
      d.scalars.push_back({found_inf, 0, "0 or 1", "whether the step is skipped", {}});
      d.options.push_back({found_inf, "skip the step"});
    }
    std::erase_if(
        d.roles, [&](const role& r) { return !r.stands_for.empty() && !formats.contains(r.name); });
    const auto parameter = formats.find("param");
    for (role& r : d.roles) {
      auto own = formats.find(r.name);
      if (own == formats.end()) own = parameter;
      if (own != formats.end()) r.format = own->second;
    }
    for (const role& stand_in : d.roles) {
      if (stand_in.stands_for.empty()) continue;
      for (role& r : d.roles) {
        std::replace(r.inputs.begin(), r.inputs.end(), stand_in.stands_for, stand_in.name);
      }
    }
    return d;
  }
  // A scalar's value as the kernel gets it: a scalar role is a float.
  double passed(const std::string& scalar_name, double value) const {
    return scalar_roles.contains(scalar_name) ? static_cast<float>(value) : value;
  }
  // The role that a step reads in place of `wanted`.
  const role* source_of(const std::string& wanted) const {
    for (const role& r : roles) {
      if (r.stands_for == wanted) return &r;
    }
    return find_role(wanted);
  }
};

}  // namespace driftgate::rules
