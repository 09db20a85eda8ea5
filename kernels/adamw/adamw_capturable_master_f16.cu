// AdamW with master weights in f32, of which param is a copy in f16, and a scaled gradient in f16,
// for captured steps: mixed-precision training as it is done with a loss scale.
#include "kernels/adamw/adamw_capturable.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
struct adamw_capturable_master_f16_update
    : adamw_capturable_update<adamw_storage<f16, f16, true>, Index> {
  static constexpr const char* dtypes =
      "param=f16 grad=f16 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32 "
      "master_param=f32" DG_SCALAR_ROLES;
};
// A read of 2 bytes and three of 4, a write of 2 and three of 4; 8 more with amsgrad.
constexpr const char* budget = "launches=1 bytes=28 capture=yes";

}  // namespace

const dg_kernel adamw_capturable_master_f16 =
    table_kernel<adamw_capturable_master_f16_update<std::int64_t>>::describe(
        "adamw_capturable_master_f16", "adamw", adamw_options, adamw_numerics, budget);

}  // namespace driftgate::kernels::DG_BACKEND
