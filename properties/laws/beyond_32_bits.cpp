// One tensor of more elements than 32 bits can count. It holds a small tensor over and over: the
// oracle judges the first repetition, and every other element must be what it is there, so not one
// of them goes unseen. The period is prime: an index that has lost its upper bits meets other data.
#include <fmt/format.h>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

constexpr std::int64_t period = 999'983;
// More than an unsigned and more than a signed count; the second where memory is short.
constexpr std::int64_t sizes[] = {(std::int64_t{1} << 32) + (1 << 20) + 3,
                                  (std::int64_t{1} << 31) + (1 << 20) + 3};

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job one = make_job(spec, data);
  subject::repeated_outcome found;
  std::int64_t elements = 0;
  for (const std::int64_t size : sizes) {
    elements = size;
    found = with.kernel().run_repeated(one, size);
    if (found.impossible.empty()) break;
  }
  if (!found.impossible.empty()) {
    with.impossible = found.impossible;
    return std::nullopt;
  }
  if (auto v = with.ended_badly(std::span(&one, 1), {found.first})) return v;
  if (found.differs) {
    violation v;
    v.what = verdict::bits_differ;
    v.output = found.differs->first;
    v.sentence = fmt::format(
        "in one tensor of {} elements, element {} of {} is not what the same inputs give at "
        "element "
        "{}",
        elements, found.differs->second, v.output,
        found.differs->second - static_cast<std::uint64_t>(spec.elements()));
    return v;
  }
  if (with.counting) with.figures["elements"] = static_cast<double>(elements);
  return with.judge(spec, data, found.first);
}

case_spec one_tensor(case_spec spec) {
  spec.sizes = {period};
  return spec;
}

}  // namespace

law beyond_32_bits() {
  law l{"beyond_32_bits",
        "a tensor of more than 2^32 elements is updated like a small one",
        {},
        2,
        4,
        check};
  l.profile.draws = {distribution::training};
  l.reshape = one_tensor;
  l.inapplicable = without_reproducible_bits;
  l.covered = lacks_an_output;
  l.device_only = true;
  return l;
}

}  // namespace driftgate::properties
