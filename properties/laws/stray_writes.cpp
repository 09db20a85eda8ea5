// A kernel writes the roles that the rule calls mutable, and nothing else: not beyond a tensor, not
// the gradient, not a state of an option that is off, not the floating-point environment.
#include <fmt/format.h>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job one = make_job(spec, data);
  outcome after;
  if (auto v = with.run(one, after)) return v;
  violation v;
  if (!after.stray_writes.empty()) {
    const stray_write& w = after.stray_writes.front();
    v.what = verdict::out_of_bounds_write;
    v.sentence = fmt::format(
        "{} places outside all tensors were written, the first {} bytes from the "
        "start of tensor {} of {}",
        after.stray_writes.size(), w.offset, w.tensor, w.role);
    return v;
  }
  if (!after.floating_point_environment_kept) {
    v.what = verdict::out_of_bounds_write;
    v.sentence = "the rounding mode or the flushing of subnormals is not the same after the call";
    return v;
  }
  const auto updated = with.outputs(spec);
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    if (std::find(updated.begin(), updated.end(), r) != updated.end()) continue;
    const std::string& role = data.roles[r];
    if (bytes_of(after, role) == one.roles[r].bytes) continue;
    v.what = verdict::input_modified;
    v.output = role;
    v.sentence = role + " was written, which this step only reads";
    return v;
  }
  if (with.counting) with.outputs_compared += static_cast<std::uint64_t>(spec.elements());
  return std::nullopt;
}

}  // namespace

law stray_writes() {
  law l{"stray_writes", "nothing is written but the mutable roles", {}, 120, 800, check};
  l.profile.draws = {distribution::training, distribution::bits, distribution::specials};
  l.profile.lists_up_to = 12;
  l.profile.elements_up_to = 600;
  return l;
}

}  // namespace driftgate::properties
