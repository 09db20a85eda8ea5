// Every output of every element lies within the budget around the exact value.
#include <algorithm>
#include <cmath>

#include "properties/laws/law.hpp"

namespace driftgate::properties {

namespace {

// How many exact results of a case lie beside a rounding tie, in its first elements.
void sample_ties(law_context& with, const case_spec& spec, const expanded_case& data) {
  constexpr std::size_t sample = 32;
  rules::elements block;
  block.count = std::min<std::size_t>(sample, data.data.front().size());
  std::array<double[sample], rules::max_roles> heads;
  std::array<double*, rules::max_roles> head{}, tail{};
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    block.before[r] = data.data[r].data();
    head[r] = heads[r];
  }
  with.oracle(spec)->exact(block, head, tail);
  for (const std::size_t r : with.outputs(spec)) {
    const formats::format_id format = data.formats[r];
    for (std::size_t i = 0; i < block.count; ++i) {
      const double x = heads[r][i];
      if (!std::isfinite(x)) continue;
      const double ulps =
          std::fabs(x - formats::round(format, x)) / formats::ulp(format, std::fabs(x));
      ++with.inputs.outputs_sampled;
      with.inputs.ties += std::fabs(ulps - 0.5) < 1.0 / 64;
    }
  }
}

}  // namespace

std::optional<violation> one_step_matches(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  if (with.counting) {
    with.inputs.add(data);
    sample_ties(with, spec, data);
  }
  outcome after;
  if (auto v = with.run(make_job(spec, data), after)) return v;
  return with.judge(spec, data, after);
}

law matches_oracle() {
  law l{"matches_oracle",
        "every output is within the derived budget of the exact value",
        {},
        400,
        4000,
        one_step_matches};
  using enum distribution;
  l.profile.may_skip = true;
  l.profile.draws = {training,       cancelling,      update_visible, decay_visible,    edges,
                     bits,           subnormals,      zeros,          division_visible, training,
                     update_visible, division_visible};
  l.profile.awkward_one_in = 60;
  l.covered = lacks_a_supported_output;
  return l;
}

}  // namespace driftgate::properties
