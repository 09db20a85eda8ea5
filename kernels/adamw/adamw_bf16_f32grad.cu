// AdamW with the parameter in bf16 and a gradient that was accumulated in f32; moments in f32.
#include "kernels/adamw/adamw_packed.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
struct adamw_bf16_f32grad_update : adamw_packed_update<adamw_storage<bf16, float>, Index> {
  static constexpr const char* dtypes =
      "param=bf16 grad=f32 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32";
};
// A read of 2 bytes and three of 4, a write of 2 and two of 4; 8 more with amsgrad.
constexpr const char* budget = "launches=1 bytes=24 capture=yes";

}  // namespace

const dg_kernel adamw_bf16_f32grad =
    table_kernel<adamw_bf16_f32grad_update<std::int64_t>>::describe(
        "adamw_bf16_f32grad", "adamw", adamw_options, adamw_numerics, budget);

}  // namespace driftgate::kernels::DG_BACKEND
