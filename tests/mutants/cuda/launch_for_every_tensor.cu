// Launches once for every tensor, where its contract says once a step.
// law: capture budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

__global__ void one_tensor_kernel(mutant_table::row row, std::int64_t size, adamw_coefficients c) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) update_at(c, row, i);
}

struct launch_for_every_tensor_update : elementwise_update {
  static int run(const table& /*tensors*/, const dg_step& step) {
    adamw_coefficients c;
    if (const int error = c.read(step)) return error;
    tensor_lists<adamw_roles> lists;
    if (const int error = lists.find(step, dtypes)) return error;
    for (std::int32_t i = 0; i < lists.count(); ++i) {
      const std::int64_t size = elements_of(lists.tensor(param, i));
      if (size == 0) continue;
      table::row row{};
      for (int role = 0; role < adamw_roles; ++role) row.data[role] = lists.tensor(role, i).data;
      const auto blocks = static_cast<unsigned>((size + chunk_elements - 1) / chunk_elements);
      const int error =
          launch(one_tensor_kernel, blocks, chunk_elements, step.stream, row, size, c);
      if (error != 0) return from_launch(error);
    }
    return ok;
  }
};

}  // namespace

const dg_kernel launch_for_every_tensor =
    mutant<launch_for_every_tensor_update>("launch_for_every_tensor");

}  // namespace driftgate::kernels::DG_BACKEND
