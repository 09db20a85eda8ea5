#include "properties/laws/training_run.hpp"

#include <cmath>

namespace driftgate::properties {
namespace {

// The hyperparameters of step k; options stay.
void follow_a_schedule(const rules::description& about, std::uint64_t k, step_arguments& at) {
  for (auto& [name, value] : at.scalars) {
    if (about.is_option(name) || k % 3 == 0) continue;
    value = name.starts_with("beta") ? 1 - std::ldexp(1 - value, -static_cast<int>(k % 3))
                                     : std::ldexp(value, -static_cast<int>(k % 3));
  }
}

}  // namespace

job training_run(const case_spec& spec, const expanded_case& data, const rules::description& about,
                 std::uint64_t steps) {
  const rules::role& gradient = *about.find_role("grad");
  job run = make_job(spec, data);
  const step_arguments first = run.steps.front();
  for (std::uint64_t k = 1; k < steps; ++k) {
    case_spec later = spec;
    later.seed = mix(spec.seed, k, 6);
    std::vector<float> g(static_cast<std::size_t>(spec.elements()));
    draw_role(later, gradient, g);
    step_arguments next = first;
    next.step += static_cast<std::int64_t>(k);
    next.seed = mix(first.seed, k);
    const auto bytes = std::as_bytes(std::span(g));
    next.gradient.assign(bytes.begin(), bytes.end());
    follow_a_schedule(about, k, next);
    run.steps.push_back(std::move(next));
  }
  return run;
}

}  // namespace driftgate::properties
