// AdamW in f32 for captured steps and for training with a loss scale.
#include "kernels/adamw/adamw_capturable.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
struct adamw_capturable_f32_update : adamw_capturable_update<adamw_storage<float, float>, Index> {
  static constexpr const char* dtypes =
      "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32" DG_SCALAR_ROLES;
};

}  // namespace

const dg_kernel adamw_capturable =
    table_kernel<adamw_capturable_f32_update<std::int64_t>>::describe(
        "adamw_capturable", "adamw", adamw_options, adamw_numerics, adamw_budget);

}  // namespace driftgate::kernels::DG_BACKEND
