// AdamW with master weights in f32, of which param is a copy in bf16; gradient in bf16.
#include "kernels/adamw/adamw_packed.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
struct adamw_master_bf16_update : adamw_packed_update<adamw_storage<bf16, bf16, true>, Index> {
  static constexpr const char* dtypes =
      "param=bf16 grad=bf16 exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32 "
      "master_param=f32";
};
// A read of 2 bytes and three of 4, a write of 2 and three of 4; 8 more with amsgrad.
constexpr const char* budget = "launches=1 bytes=28 capture=yes";

}  // namespace

const dg_kernel adamw_master_bf16 = table_kernel<adamw_master_bf16_update<std::int64_t>>::describe(
    "adamw_master_bf16", "adamw", adamw_options, adamw_numerics, budget);

}  // namespace driftgate::kernels::DG_BACKEND
