// Keeps the coefficients of the step that prepare was given.
// law: many_steps
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

struct planned_table : mutant_table {
  adamw_coefficients first;
};

__global__ void kernel(planned_table table, adamw_coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < chunk.elements) update_at(c, table.rows[chunk.row], chunk.first + thread);
}

struct step_of_the_plan_update : elementwise_update {
  using table = planned_table;
  static int run(const table& tensors, const dg_step& step) {
    return launch_chunks(kernel, tensors, chunk_elements, step, tensors.first);
  }
};

int prepare_with_coefficients(const dg_step* step, void** plan) {
  if (const int error = table_kernel<step_of_the_plan_update>::prepare(step, plan)) return error;
  return static_cast<planned_table*>(*plan)->first.read(*step);
}

constexpr dg_kernel with_coefficients(dg_kernel kernel) {
  kernel.prepare = prepare_with_coefficients;
  return kernel;
}

}  // namespace

const dg_kernel step_of_the_plan =
    with_coefficients(mutant<step_of_the_plan_update>("step_of_the_plan"));

}  // namespace driftgate::kernels::DG_BACKEND
