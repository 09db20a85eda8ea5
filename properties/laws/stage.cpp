#include "properties/laws/stage.hpp"

#include <algorithm>

namespace driftgate::properties {
namespace {

// The parameter, or what a contract has in its place.
bool is_parameter(const rules::role& role) {
  return role.name == "param" || role.stands_for == "param";
}

// Whether the outcome is outside the budget with these roles set to zero.
bool departs_with_zeros(law_context& context, const failing_case& failure,
                        const std::vector<std::string>& zeroed) {
  expanded_case data = expand(failure.spec, context.about());
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    if (std::find(zeroed.begin(), zeroed.end(), data.roles[r]) != zeroed.end()) {
      std::fill(data.data[r].begin(), data.data[r].end(), 0.0F);
    }
  }
  outcome after;
  if (context.run(make_job(failure.spec, data), after)) return false;
  const auto v = context.judge(failure.spec, data, after);
  return v && v->output == failure.what.output;
}

}  // namespace

std::string first_stage(subject& kernel, const rules::rule& rule, const failing_case& failure) {
  if (failure.what.judged.exact.empty()) return "";
  rules::audit none;
  law_context context(kernel, rule, level::quick, failure.spec.seed, none);
  context.counting = false;
  if (!is_parameter(*context.about().find_role(failure.what.output))) return failure.what.output;
  std::vector<std::string> parameter;
  std::vector<std::string> still{"grad"};
  for (const rules::role& r : context.about().roles) {
    if (is_parameter(r)) {
      parameter.push_back(r.name);
    } else if (r.is_mutable && !r.non_negative) {
      still.push_back(r.name);
    }
  }
  if (departs_with_zeros(context, failure, parameter)) return "update";
  return departs_with_zeros(context, failure, still) ? "decay" : failure.what.output;
}

}  // namespace driftgate::properties
