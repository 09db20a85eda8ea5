#include "properties/laws/stage.hpp"

#include <algorithm>

namespace driftgate::properties {
namespace {

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
  if (failure.what.output != "param") return failure.what.output;
  rules::audit none;
  law_context context(kernel, rule, level::quick, failure.spec.seed, none);
  context.counting = false;
  if (departs_with_zeros(context, failure, {"param"})) return "update";
  std::vector<std::string> still{"grad"};
  for (const rules::role& r : rule.about().roles) {
    if (r.is_mutable && r.name != "param" && !r.non_negative) still.push_back(r.name);
  }
  return departs_with_zeros(context, failure, still) ? "decay" : "param";
}

}  // namespace driftgate::properties
