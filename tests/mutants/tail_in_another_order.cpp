// The last size % 4 elements of a tensor take another right order of evaluation.
// law: splitting
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct tail_in_another_order : adamw {
  void update_element(const tensor& t, std::int64_t i) override {
    in_tail_ = i >= t.size / 4 * 4;
    adamw::update_element(t, i);
  }
  float change(float m, float denominator) override {
    return in_tail_ ? step_size * (m / denominator) : adamw::change(m, denominator);
  }

 private:
  bool in_tail_ = false;
};

}  // namespace

DRIFTGATE_PLUGIN(tail_in_another_order)
