// AdamW with parameter and gradient in bf16, moments in f32.
#include "kernels/adamw/adamw_packed.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
struct adamw_bf16_update : adamw_packed_update<adamw_storage<bf16, bf16>, Index> {
  static constexpr const char* dtypes =
      "param=bf16 grad=bf16 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32";
};
// Two reads of 2 bytes and two of 4, a write of 2 and two of 4; 8 more with amsgrad.
constexpr const char* budget = "launches=1 bytes=22 capture=yes";

}  // namespace

const dg_kernel adamw_bf16 = table_kernel<adamw_bf16_update<std::int64_t>>::describe(
    "adamw_bf16", "adamw", adamw_options, adamw_numerics, budget);

}  // namespace driftgate::kernels::DG_BACKEND
