// A step on a device only puts work on the stream that it is given: nothing happens while that
// stream is busy with something else, and a kernel that can be captured does not wait for it
// either.
#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

// The operating system may keep the host from returning in time once, and not three times.
constexpr int attempts = 3;

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const job plain = make_job(spec, expand(spec, with.about()));
  job held = plain;
  held.how = calling::held;
  outcome expected, result;
  // The first call loads the kernel's code onto the device, which may have to wait for it.
  if (auto v = with.run(plain, expected)) return v;
  bool waits = with.promised().budget.contains("capture");
  for (int i = 0; i < attempts && waits; ++i) {
    if (auto v = with.run(held, result)) return v;
    waits = !result.on_device.returned_early;
  }
  violation v;
  v.what = verdict::budget_exceeded;
  if (waits) {
    v.sentence =
        "step returns only after the stream's earlier work is done: it waits for the device";
    return v;
  }
  if (!with.promised().budget.contains("capture")) {
    if (auto ended = with.run(held, result)) return ended;
  }
  if (!result.on_device.kept_to_stream) {
    v.sentence = "tensors changed while the step's stream was busy: not all work is on that stream";
    return v;
  }
  return with.same_bits(spec, expected, result, verdict::bits_differ,
                        "a step on an idle stream, and one behind other work");
}

}  // namespace

law asynchronous() {
  law l{"asynchronous", "a step only puts work on its stream", {}, 15, 40, check};
  l.profile.may_skip = true;
  l.profile.draws = {distribution::training, distribution::division_visible};
  l.profile.elements_up_to = 20'000;
  l.covered = lacks_an_output;
  l.device_only = true;
  return l;
}

}  // namespace driftgate::properties
