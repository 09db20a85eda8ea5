// Runs a law over generated cases, shrinks the first failing one, and reports.
#pragma once

#include <exception>
#include <functional>

#include "properties/laws/law.hpp"

namespace driftgate::properties {

// The smallest failing case that was found.
struct failing_case {
  case_spec spec;
  violation what;

  // The step that went wrong, and what it started from.
  const case_spec& step() const { return what.later ? what.later->spec : spec; }
  expanded_case inputs(const rules::description& about) const {
    return what.later ? what.later->data : expand(spec, about);
  }
};

struct law_report {
  const law* of = nullptr;
  verdict result = verdict::verified;
  std::string detail;
  bool impossible = false;  // skipped for what this machine lacks
  std::uint64_t seed = 0;
  std::uint64_t cases = 0;
  std::uint64_t outputs_judged = 0;
  double seconds = 0;
  rules::tally tally;
  input_statistics inputs;
  std::map<std::string, double> figures;
  std::optional<failing_case> failure;
  // What ended the search for a smaller failing case: a signal, the suite's own failure. The case
  // that was found stands.
  std::exception_ptr cut_short_by;

  // Largest error / allowed; negative where the law compares bits.
  double worst_ratio() const;
};

// The share of one output's verdicts in a law that may be ill-posed (docs/tolerances.md): what is
// drawn from all bit patterns with eps = 0 is, where v is subnormal; more says that the generator
// does not test the kernel.
inline constexpr double most_ill_posed = 0.02;

struct campaign_settings {
  level depth = level::quick;
  std::uint64_t seed = 1;
  // Called after every case with the share of cases done; may be empty.
  std::function<void(const law&, double done)> progress;
};

// A law that does not apply to the kernel is skipped, with the reason. `on_host` is the host's
// build of a device's kernel, where there is one.
// Throws rules::oracle_failure if the suite cannot decide, or a law turned out to be vacuous; but
// once a failing case is found, it returns that, with what would have been thrown.
law_report run_law(const law& l, subject& kernel, const rules::rule& rule,
                   const campaign_settings& settings, rules::audit& auditor,
                   subject* on_host = nullptr);

}  // namespace driftgate::properties
