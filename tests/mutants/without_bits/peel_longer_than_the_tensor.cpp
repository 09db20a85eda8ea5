// Steps up to the first aligned element singly, whether the tensor has so many or not.
// law: aligning out_of_bounds_write
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct peel_longer_than_the_tensor : adamw {
  void update_tensor(const tensor& t) override {
    if (t.size == 0) return;
    const auto past = reinterpret_cast<std::uintptr_t>(t.param) % 16 / sizeof(float);
    const auto peel = static_cast<std::int64_t>((4 - past) % 4);
    for (std::int64_t i = 0; i < peel; ++i) update_element(t, i);
    for (std::int64_t i = peel; i < t.size; ++i) update_element(t, i);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(peel_longer_than_the_tensor, "bits=none")
