// maximize by changing the gradient, which is the caller's.
// law: stray_writes
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct gradient_negated_in_place : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    adamw::update_element(t, i);
    if (given.maximize) t.grad[i] = -t.grad[i];
  }
};

}  // namespace

DRIFTGATE_PLUGIN(gradient_negated_in_place)
