#include <fmt/format.h>

#include "gate/campaign.hpp"
#include "gate/verbs/verbs.hpp"

namespace driftgate::gate::verbs {

int list() {
  fmt::print("kernels\n");
  for (const kernel_under_test& k : kernels_of({}, {})) {
    const auto& c = k.promised;
    fmt::print(
        "  {:<14} rule {}, device {}\n    dtypes    {}\n    options   {}\n    numerics  {}\n"
        "    budget    {}\n",
        c.name, c.rule, c.device, c.dtypes_text, c.options_text, c.numerics_text, c.budget_text);
  }
  fmt::print("\nrules\n");
  for (const rules::rule* r : rules::all_rules()) {
    fmt::print("  {:<14} {}\n", r->about().name, r->about().title);
  }
  fmt::print("\nlaws\n");
  for (const properties::law& l : properties::all_laws()) {
    fmt::print("  {:<22} {} (cases: quick {}, full {})\n", l.name, l.statement, l.quick_cases,
               l.full_cases);
  }
  return all_verified;
}

}  // namespace driftgate::gate::verbs
