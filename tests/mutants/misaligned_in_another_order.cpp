// A tensor off a 16-byte boundary takes another right order of evaluation.
// law: aligning
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct misaligned_in_another_order : adamw {
  void update_tensor(const tensor& t) override {
    aligned_ = reinterpret_cast<std::uintptr_t>(t.param) % 16 == 0;
    adamw::update_tensor(t);
  }
  float change(float m, float denominator) override {
    return aligned_ ? adamw::change(m, denominator) : step_size * (m / denominator);
  }

 private:
  bool aligned_ = true;
};

}  // namespace

DRIFTGATE_PLUGIN(misaligned_in_another_order)
