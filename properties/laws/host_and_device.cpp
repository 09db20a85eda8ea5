// The device's build of a kernel gives the same bits as the host's, special values included: that
// is what makes a gate without a device worth anything.
#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

// Enough that all cases together have 1e8 outputs even at the quick level.
constexpr std::int64_t elements = 1'400'007;

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job same = make_job(spec, data);
  if (with.counting) with.inputs.add(data);
  outcome on_device;
  if (auto v = with.run(same, on_device)) return v;
  const std::vector<outcome> on_host = with.on_host->run(std::span(&same, 1));
  if (auto v = with.ended_badly(std::span(&same, 1), on_host)) {
    v->sentence = "on the host: " + v->sentence;
    return v;
  }
  return with.same_bits(spec, on_host.front(), on_device, verdict::bits_differ,
                        "on the host, and on the device");
}

// The drawn list and one tensor of a size that matters.
case_spec enlarge(case_spec spec) {
  spec.sizes.push_back(elements);
  return spec;
}

}  // namespace

law host_and_device() {
  law l{"host_and_device", "host and device give the same bits", {}, 25, 100, check};
  l.profile.may_skip = true;
  l.profile.draws = {
      distribution::training,       distribution::cancelling,       distribution::edges,
      distribution::bits,           distribution::subnormals,       distribution::zeros,
      distribution::update_visible, distribution::division_visible, distribution::specials};
  l.profile.awkward_one_in = 10;
  l.reshape = enlarge;
  l.inapplicable = without_reproducible_bits;
  l.covered = lacks_an_output;
  l.device_only = true;
  l.compares_hosts = true;
  return l;
}

}  // namespace driftgate::properties
