// Rounding errors have no side. A kernel that truncates, or always rounds up, stays within a
// pointwise budget and drifts for a month; the mean of got - RN(exact) shows it.
//
// The hyperparameters here are dyadic and the step is late, so that every coefficient is exact in
// the compute format: what remains is the rounding of the operations, and its mean is 0 for
// rounding to nearest whatever the order of evaluation. An output stored in fewer bits is compared
// with the exact value's rounding to these. The mean is taken as it is (always up) and towards zero
// (truncation). It gates on the effect: the whole interval of six standard errors (false alarms
// 2e-9) must lie beyond `tolerated`.
#include <cmath>

#include <fmt/format.h>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

// The geometric middle, as a power of two, between the largest mean of the controls (0.046) and the
// smallest of one truncated or upward rounding (0.39); the measurements are in docs/tolerances.md.
constexpr double tolerated = 0.125;  // ulps
// One element's error counts for no more than this, so that a cancellation does not hide the rest.
constexpr double most = 4;  // ulps
constexpr std::int64_t sample = 1 << 16;

struct mean {
  double sum = 0, squares = 0;
  std::uint64_t n = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++n;
  }
  double value() const { return n ? sum / static_cast<double>(n) : 0; }
  double standard_error() const {
    const double variance = squares / static_cast<double>(n) - value() * value();
    return std::sqrt(std::fmax(variance, 0) / static_cast<double>(n));
  }
  bool beyond(double bound) const { return std::fabs(value()) - 6 * standard_error() > bound; }
};

case_spec exact_coefficients(case_spec spec) {
  spec.sizes = {sample};
  spec.step = 1'000'000;
  spec.scalars["lr"] = 0x1p-4;
  spec.scalars["beta1"] = 0.875;
  spec.scalars["beta2"] = 1 - 0x1p-8;
  spec.scalars["eps"] = 0x1p-20;
  spec.scalars["weight_decay"] = spec.seed % 2 ? 0.5 : 0;
  if (rules::is_scaled(spec.scalars)) spec.scalars[rules::grad_scale] = 0x1p10;
  return spec;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  outcome after;
  if (auto v = with.run(make_job(spec, data), after)) return v;

  rules::elements block;
  block.count = static_cast<std::size_t>(spec.elements());
  std::array<double*, rules::max_roles> head{}, tail{};
  std::vector<std::vector<double>> heads(data.roles.size()), tails(data.roles.size());
  for (std::size_t r = 0; r < data.roles.size(); ++r) block.before[r] = data.data[r].data();
  const auto updated = with.outputs(spec);
  for (const std::size_t r : updated) {
    heads[r].resize(block.count);
    tails[r].resize(block.count);
    head[r] = heads[r].data();
    tail[r] = tails[r].data();
  }
  with.oracle(spec)->exact(block, head, tail);

  for (const std::size_t r : updated) {
    const formats::format_id format = data.formats[r];
    const auto got = floats(after, with.about().roles[r]);
    mean up, outward;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (!std::isfinite(heads[r][i])) continue;
      const double nearest =
          formats::decode(format, formats::round_with_tail(format, heads[r][i], tails[r][i]));
      // There either may be right, and an infinity is at no distance.
      if (std::fabs(nearest) >= formats::traits(format).max_finite) continue;
      if (!std::isfinite(got[i])) {
        violation v;
        v.what = verdict::nan_mismatch;
        v.output = data.roles[r];
        v.element = i;
        v.got = got[i];
        v.sentence = fmt::format("{}[{}] is {} where the exact value is {:.9g}", v.output, i,
                                 got[i], heads[r][i]);
        return v;
      }
      const double ulps = (got[i] - nearest) / formats::ulp(format, std::fabs(nearest));
      const double error = std::fmax(-most, std::fmin(most, ulps));
      up.add(error);
      outward.add(std::signbit(nearest) ? -error : error);
    }
    if (with.counting) with.outputs_compared += up.n;
    if (with.counting && up.n > 0) with.seen.insert(data.roles[r]);
    for (const auto& [m, side] : {std::pair{up, "upwards"}, std::pair{outward, "away from zero"}}) {
      if (with.counting) {
        double& largest = with.figures[data.roles[r] + " mean error in ulps, " + side];
        if (std::fabs(m.value()) > std::fabs(largest)) largest = m.value();
      }
      if (!m.beyond(tolerated)) continue;
      violation v;
      v.what = verdict::biased;
      v.output = data.roles[r];
      v.sentence = fmt::format(
          "the mean of {} - RN(exact) is {:+.4f} ulp {} (standard error {:.4f}, "
          "tolerated {})",
          v.output, m.value(), side, m.standard_error(), tolerated);
      return v;
    }
  }
  return std::nullopt;
}

}  // namespace

law signed_bias() {
  law l{"signed_bias", "rounding errors have no side", {}, 8, 40, check};
  l.profile.draws = {distribution::training, distribution::update_visible,
                     distribution::division_visible};
  l.reshape = exact_coefficients;
  l.profile.elements_up_to = 1;
  l.profile.lists_up_to = 1;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
