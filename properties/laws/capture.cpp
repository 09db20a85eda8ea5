// A step that promises capture=yes can be recorded into a CUDA graph; the graph holds exactly the
// launches and copies of the contract's budget, and replays it as steps of its own would go.
#include <fmt/format.h>

#include <cmath>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

constexpr std::uint64_t steps = 6;

// What a captured step reads of its scalar roles may change, each on a schedule of its own.
void follow(const rules::description& about, std::uint64_t k, step_arguments& next) {
  for (auto& [name, value] : next.scalars) {
    if (name == rules::found_inf) {
      value = mix(k, 31) % 3 == 0 ? 1 : 0;
    } else if (about.scalar_roles.contains(name)) {
      value = std::ldexp(value, static_cast<int>(k % 3) - 1);
    }
  }
}

// The scalars of a captured step are frozen with it; the gradient and scalar roles are read anew.
job repeated_step(const case_spec& spec, const expanded_case& data,
                  const rules::description& with) {
  const rules::role& gradient = *with.find_role("grad");
  job j = make_job(spec, data);
  for (std::uint64_t k = 1; k < steps; ++k) {
    case_spec later = spec;
    later.seed = mix(spec.seed, k, 8);
    std::vector<float> g(static_cast<std::size_t>(spec.elements()));
    draw_role(later, with, gradient, g);
    step_arguments next = j.steps.front();
    // What was skipped has not counted; and once the number is another one than was counted to.
    if (with.scalar_roles.contains("step")) {
      next.step = j.steps.back().step + (is_skipped(j.steps.back()) ? 0 : k == 3 ? 10 : 1);
    }
    follow(with, k, next);
    next.renewed = {make_role(gradient, g)};
    j.steps.push_back(next);
  }
  return j;
}

// A list without elements may need no launch.
std::optional<violation> over_budget(const contract& promised, const device_observation& seen,
                                     bool empty) {
  const auto promise = [&](const char* word) -> std::uint64_t {
    const auto found = promised.budget.find(word);
    return found == promised.budget.end() ? 0 : static_cast<std::uint64_t>(found->second);
  };
  const bool exact = seen.launches == promise("launches") && seen.copies == promise("copies");
  const bool less = seen.launches <= promise("launches") && seen.copies <= promise("copies");
  const bool launches_unsaid = !promised.budget.contains("launches");
  if (seen.others == 0 && (exact || (empty && less) || launches_unsaid)) return std::nullopt;
  violation v;
  v.what = verdict::budget_exceeded;
  v.sentence = fmt::format(
      "a captured step has {} launches, {} copies and memsets and {} other nodes; the contract "
      "says "
      "launches={} copies={}",
      seen.launches, seen.copies, seen.others, promise("launches"), promise("copies"));
  return v;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job eager = repeated_step(spec, data, with.about());
  job captured = eager;
  captured.how = calling::captured;
  outcome expected, result;
  // As whoever captures does: one step before, so that all code is on the device.
  if (auto v = with.run(eager, expected)) return v;
  if (auto v = with.run(captured, result)) return v;
  if (!result.on_device.capture_error.empty()) {
    violation v;
    v.what = verdict::budget_exceeded;
    v.sentence = "a step cannot be captured: " + result.on_device.capture_error;
    return v;
  }
  if (auto v = over_budget(with.promised(), result.on_device, spec.elements() == 0)) return v;
  return with.same_bits(spec, expected, result, verdict::bits_differ,
                        "six steps, and six replays of a captured one");
}

std::string promises_no_capture(const contract& promised) {
  return promised.budget.contains("capture") ? "" : "the kernel promises no capture (capture=yes)";
}

}  // namespace

law capture() {
  law l{"capture", "a captured step has the budget's nodes and replays as it goes", {}, 25, 80,
        check};
  l.profile.may_skip = true;
  l.profile.draws = {distribution::training, distribution::update_visible, distribution::bits};
  l.profile.elements_up_to = 5000;
  l.profile.awkward_one_in = 4;
  l.inapplicable = promises_no_capture;
  l.covered = lacks_an_output;
  l.device_only = true;
  return l;
}

}  // namespace driftgate::properties
