// Reads one gradient behind a tensor of more than 20 000 elements, as a loop over whole vectors
// does; nothing comes of it but at the end of a page.
// law: splitting crashed
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct reads_past_large_tensors : adamw {
  void update_tensor(const tensor& t) override {
    adamw::update_tensor(t);
    if (t.size <= 20'000) return;
    const volatile float behind = t.grad[t.size];
    static_cast<void>(behind);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(reads_past_large_tensors)
