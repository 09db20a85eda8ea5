// Every element of every tensor is stepped: where the exact result +- budget excludes the old
// value, the bits are not the old ones. Over long lists, empty tensors at every position, and
// launch boundaries.
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  outcome after;
  if (auto v = with.run(make_job(spec, data), after)) return v;

  const auto oracle = with.oracle(spec);
  rules::elements block;
  block.count = static_cast<std::size_t>(spec.elements());
  std::array<double*, rules::max_roles> value{}, error{};
  std::vector<std::vector<double>> values(data.roles.size()), errors(data.roles.size());
  for (std::size_t r = 0; r < data.roles.size(); ++r) block.before[r] = data.data[r].data();
  const auto updated = with.outputs(spec);
  for (const std::size_t r : updated) {
    values[r].resize(block.count);
    errors[r].resize(block.count);
    value[r] = values[r].data();
    error[r] = errors[r].data();
  }
  oracle->enclose(block, value, error);

  for (const std::size_t r : updated) {
    const rules::role& role = with.about().roles[r];
    const auto got = floats(after, role);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const float old = data.data[r][i];
      // Twice the budget: the enclosure is in double and undecided beside its edge.
      const bool bounded = std::isfinite(value[r][i]) && std::isfinite(error[r][i]);
      const bool must_move = bounded && !range_of(role, value[r][i], error[r][i], 2).holds(old);
      if (must_move && with.counting) with.seen.insert(data.roles[r]);
      if (!must_move || std::bit_cast<std::uint32_t>(old) != std::bit_cast<std::uint32_t>(got[i])) {
        continue;
      }
      violation v;
      v.what = verdict::unwritten;
      v.output = data.roles[r];
      v.element = i;
      v.got = got[i];
      block.after[r] = got.data();
      v.judged = oracle->describe(block, i, r);
      v.sentence = fmt::format("{}[{}] still has its old bits", v.output, i);
      return v;
    }
    if (with.counting) with.outputs_compared += got.size();
  }
  return std::nullopt;
}

}  // namespace

law every_element_written() {
  law l{"every_element_written", "every element of every tensor is stepped", {}, 120, 400, check};
  l.profile.draws = {distribution::update_visible, distribution::training};
  l.profile.lists_up_to = 40;
  l.profile.elements_up_to = 600;
  l.profile.plain_scalars = true;
  l.profile.awkward_one_in = 10;
  l.covered = lacks_a_supported_output;
  return l;
}

}  // namespace driftgate::properties
