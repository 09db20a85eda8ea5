// Sorts the caller's scalars by name, to look them up.
// law: permuting input_modified
#include <algorithm>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct scalars_sorted_in_place : adamw {
  hyperparameters read(const dg_step& s) override {
    auto* const scalars = const_cast<dg_scalar*>(s.scalars);
    std::sort(scalars, scalars + s.num_scalars, [](const dg_scalar& a, const dg_scalar& b) {
      return std::string_view(a.name) < b.name;
    });
    return adamw::read(s);
  }
};

}  // namespace

DRIFTGATE_PLUGIN(scalars_sorted_in_place)
