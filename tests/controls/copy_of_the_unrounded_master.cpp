// Master weights in double, each of the two stores rounded from there.
#include "oracles/formats/format.hpp"
#include "tests/mutants/narrow_plugin.hpp"

namespace {

namespace formats = driftgate::formats;
using namespace driftgate::plugins;

struct copy_of_the_unrounded_master : narrow_adamw<bf16> {
  void update_parameter(const stored_tensor& t, std::int64_t i, float by) override {
    const double p = static_cast<double>(keep) * t.master_param[i] - by;
    t.master_param[i] = static_cast<float>(p);
    t.param[i] = {formats::encode<formats::format_id::bf16>(p)};
  }
};

}  // namespace

DRIFTGATE_NARROW_PLUGIN(copy_of_the_unrounded_master, "bf16", "master_param=f32")
