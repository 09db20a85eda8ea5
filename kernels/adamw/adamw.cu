// AdamW in f32, the fast version.
#include "kernels/adamw/adamw_packed.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

template <class Index>
struct adamw_update : adamw_packed_update<adamw_storage<float, float>, Index> {
  static constexpr const char* dtypes = adamw_dtypes;
};

}  // namespace

const dg_kernel adamw = table_kernel<adamw_update<std::int64_t>>::describe(
    "adamw", "adamw", adamw_options, adamw_numerics, adamw_budget);

}  // namespace driftgate::kernels::DG_BACKEND
