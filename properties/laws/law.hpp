// A law: a statement that must hold for every kernel. One file each; laws.cpp lists them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracles/rules/evaluator.hpp"
#include "properties/gen/profile.hpp"
#include "properties/subject.hpp"
#include "properties/verdict.hpp"

namespace driftgate::properties {

// One step and the state that it starts from.
struct state_at_step {
  case_spec spec;  // its step and scalars
  expanded_case data;
};

// What went wrong on one case.
struct violation {
  verdict what = verdict::diverged;
  std::string sentence;
  std::string output;                    // role; may be empty
  std::optional<std::uint64_t> element;  // in the flat array of that role, where one is to blame
  float got = 0;                         // that element
  rules::verdict_on_element judged;      // and what the oracle says of it, where it was asked
  std::optional<state_at_step> later;    // where not the case's own step went wrong, but this one
};

// How the kernel computes, as the oracle wants to know it.
rules::arithmetic arithmetic_of(const contract& promised);

enum class level { quick, full };

// What a law works with; one per law and kernel.
class law_context {
 public:
  law_context(subject& kernel, const rules::rule& rule, level depth, std::uint64_t seed,
              rules::audit& auditor);

  subject& kernel() { return kernel_; }
  // The same source's build for the host, where the kernel runs on a device and there is one.
  subject* on_host = nullptr;
  const contract& promised() const { return kernel_.promised(); }
  const rules::rule& rule() const { return rule_; }
  // The rule as the kernel's contract has it.
  const rules::description& about() const { return about_; }
  level depth() const { return depth_; }
  std::uint64_t seed() const { return seed_; }

  std::unique_ptr<rules::evaluator> oracle(const case_spec& spec);

  // Roles that the step updates under these scalars, as indices of the rule's description; states
  // come before the parameter.
  std::vector<std::size_t> outputs(const case_spec& spec) const;

  // Runs jobs. Whatever the law, a crash, a hang or an error code is a violation, and so is a write
  // to anything but the roles that a step updates.
  std::optional<violation> run(std::span<const job> jobs, std::vector<outcome>& outcomes);
  // What is wrong with the outcomes of these jobs, wherever they were run.
  std::optional<violation> ended_badly(std::span<const job> jobs,
                                       const std::vector<outcome>& outcomes) const;
  std::optional<violation> run(const job& one, outcome& result);

  // Judges every output of one step; the tally counts only while `counting`.
  std::optional<violation> judge(const case_spec& spec, const expanded_case& before,
                                 const outcome& after);

  // Whether the kernel takes part in the role: always, or under an option that it supports.
  bool supports(const rules::role& role) const;

  // Compares two outcomes' outputs bit for bit, NaN as a class; `what` is the verdict where they
  // differ.
  std::optional<violation> same_bits(const case_spec& spec, const outcome& a, const outcome& b,
                                     verdict what, const std::string& sentence);

  // As same_bits; but of a kernel that promises no reproducible bits the oracle judges `b` instead.
  std::optional<violation> same_result(const case_spec& spec, const expanded_case& data,
                                       const outcome& a, const outcome& b, verdict what,
                                       const std::string& sentence);

  // Totals.
  rules::tally tally;
  input_statistics inputs;
  std::uint64_t cases = 0;
  std::uint64_t outputs_compared = 0;     // by bits, where no oracle is asked
  bool counting = true;                   // off while shrinking
  std::string impossible;                 // why the law cannot be put to the test on this machine
  std::set<std::string> seen;             // what a law has covered, in its own words
  std::map<std::string, double> figures;  // what a law has measured, in its own words

 private:
  subject& kernel_;
  const rules::rule& rule_;
  const rules::description about_;
  level depth_;
  std::uint64_t seed_;
  rules::audit& auditor_;
};

struct law {
  const char* name;
  const char* statement;
  case_profile profile;
  int quick_cases;
  int full_cases;
  std::optional<violation> (*check)(law_context&, const case_spec&);
  // Why the law says nothing of such a kernel; empty string: it does.
  std::string (*inapplicable)(const contract&) = nullptr;
  // After all cases: what the law needs to have met, or it is vacuous. Empty string: fine.
  std::string (*covered)(const law_context&) = nullptr;
  // Turns a drawn case into the law's own kind of case, if it has one.
  case_spec (*reshape)(case_spec) = nullptr;
  bool device_only = false;     // says something of kernels that run on a device only
  bool compares_hosts = false;  // and needs the host's build of the kernel
};

const std::vector<law>& all_laws();
const law* find_law(const std::string& name);

// One step of the case, judged by the oracle.
std::optional<violation> one_step_matches(law_context& with, const case_spec& spec);

// One per file of this folder.
law matches_oracle();
law special_values();
law deterministic();
law splitting();
law permuting();
law aligning();
law symmetries();
law stray_writes();
law every_element_written();
law influence();
law save_resume();
law many_steps();
law signed_bias();
law host_and_device();
law asynchronous();
law capture();
law beyond_32_bits();

// What a law that notes each output role in `seen` lacks: of those that the rule always has, or of
// those that the kernel's options bring along, too.
std::string lacks_an_output(const law_context& with);
std::string lacks_a_supported_output(const law_context& with);

// For laws that compare bits: a kernel may promise none.
std::string without_reproducible_bits(const contract& promised);

// A flat array of the values in an outcome's role.
std::vector<float> floats(const outcome& o, const rules::role& role);
const std::vector<std::byte>& bytes_of(const outcome& o, const std::string& role);
role_data make_role(const rules::role& role, std::span<const float> data);

// What may be stored of a value between these two: the roundings of both ends.
struct stored_range {
  double least, greatest;
  bool holds(double stored) const { return least <= stored && stored <= greatest; }
  bool apart_from(const stored_range& other) const {
    return greatest < other.least || other.greatest < least;
  }
};
// `slack` times the budget around the value, as the role's format holds it.
stored_range range_of(const rules::role& role, double value, double error, double slack);

}  // namespace driftgate::properties
