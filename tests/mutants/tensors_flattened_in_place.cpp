// Reshapes the caller's DLTensor to one dimension.
// law: stray_writes input_modified
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct tensors_flattened_in_place : adamw {
  void step(const dg_step& s) override {
    adamw::step(s);
    for (int i = 0; i < s.lists[0].count; ++i) {
      DLTensor& t = s.lists[0].tensors[i];
      for (int d = 1; d < t.ndim; ++d) t.shape[0] *= t.shape[d];
      if (t.ndim > 1) t.ndim = 1;
    }
  }
};

}  // namespace

DRIFTGATE_PLUGIN(tensors_flattened_in_place)
