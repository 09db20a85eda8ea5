#include <fmt/format.h>

#include "gate/campaign.hpp"
#include "gate/verbs/verbs.hpp"
#include "properties/gen/case.hpp"

namespace driftgate::gate::verbs {
namespace {

void print_budgets(const rules::rule& rule) {
  // One element of training-like data under the usual hyperparameters: what the forms allow there.
  properties::case_spec spec;
  spec.seed = 1;
  spec.sizes = {1};
  spec.step = 100;
  for (const rules::scalar& s : rule.about().scalars) spec.scalars[s.name] = s.usual;
  for (const rules::option& o : rule.about().options) spec.scalars[o.name] = 1;
  const auto data = properties::expand(spec, rule.about().stored_as({}));
  rules::elements block;
  block.count = 1;
  for (std::size_t r = 0; r < data.roles.size(); ++r) block.before[r] = data.data[r].data();
  fmt::print(
      "\nStages, their admissible forms, and the budget of each on one element (step 100, usual "
      "hyperparameters,\nall options on; ulps of f32). A stage's budget is its widest form's.\n");
  std::string stage;
  for (const rules::traced_form& f :
       rule.at(spec.step, spec.scalars, {}, nullptr)->trace(block, 0)) {
    if (f.stage != stage) fmt::print("\n  {}\n", f.stage);
    stage = f.stage;
    const auto budget = fmt::format("{:>6.2f} ulp", f.error / f.unit_in_last_place);
    fmt::print("    {:<86} {}\n", f.text, f.admissible ? budget : "  not at these hyperparameters");
  }
}

}  // namespace

int explain(const std::string& name) {
  const rules::rule* rule = rules::find_rule(name);
  if (!rule) {
    std::string known;
    for (const rules::rule* r : rules::all_rules()) known += " " + r->about().name;
    throw bad_request(fmt::format("there is no rule \"{}\"; known:{}", name, known));
  }
  const rules::description& d = rule->about();
  fmt::print("{}\n\nSource\n  {}\n\nOne step, in exact arithmetic\n", d.title, d.source);
  for (const std::string& e : d.equations) fmt::print("  {}\n", e);
  fmt::print("\nRoles\n");
  for (const rules::role& r : d.roles) {
    fmt::print("  {:<16} {:<38} {}{}{}\n", r.name, r.meaning, r.is_mutable ? "updated" : "read",
               r.at_step_1.empty() ? "" : "; at step 1: " + r.at_step_1,
               r.option.empty() ? "" : "; with " + r.option);
    if (r.stands_for.empty()) continue;
    fmt::print(
        "  {:<16} optional: passed where the contract's dtypes list it. Then it is read and updated"
        "\n  {:<16} in the place of {}, which receives the new {} rounded to its own format\n"
        "  {:<16} (its old contents are not read; at step 1 they are {} rounded)\n",
        "", "", r.stands_for, r.name, "", r.name);
  }
  fmt::print("\nRoles of one element, passed where the contract's dtypes list them\n");
  for (const rules::scalar_role& r : rules::scalar_roles) {
    fmt::print("  {:<16} {}\n", fmt::format("{}={}", r.name, r.format), r.meaning);
  }
  fmt::print("\nScalars\n");
  for (const rules::scalar& s : d.scalars) {
    fmt::print("  {:<16} {:<50} {:<10} usually {}\n", s.name, s.meaning, s.range, s.usual);
  }
  fmt::print("\nOptions\n");
  for (const rules::option& o : d.options) fmt::print("  {:<16} {}\n", o.name, o.meaning);
  print_budgets(*rule);
  return all_verified;
}

}  // namespace driftgate::gate::verbs
