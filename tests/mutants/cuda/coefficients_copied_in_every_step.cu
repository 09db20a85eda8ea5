// Copies the coefficients to the device in every step: a copy more than its contract says.
// law: capture budget_exceeded
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {
namespace {

// Room for them without a constructor.
alignas(adamw_coefficients) __constant__ char coefficients[sizeof(adamw_coefficients)];

__global__ void kernel(mutant_table table) {
  const auto chunk = table.chunks[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread >= chunk.elements) return;
  update_at(*reinterpret_cast<const adamw_coefficients*>(coefficients), table.rows[chunk.row],
            chunk.first + thread);
}

struct coefficients_copied_in_every_step_update : elementwise_update {
  static int run(const table& tensors, const dg_step& step) {
    adamw_coefficients c;
    if (const int error = c.read(step)) return error;
    const int error = cudaMemcpyToSymbolAsync(coefficients, &c, sizeof c, 0, cudaMemcpyHostToDevice,
                                              static_cast<cudaStream_t>(step.stream));
    if (error != 0) return from_launch(error);
    return launch_chunks(kernel, tensors, chunk_elements, step);
  }
};

}  // namespace

const dg_kernel coefficients_copied_in_every_step =
    mutant<coefficients_copied_in_every_step_update>("coefficients_copied_in_every_step");

}  // namespace driftgate::kernels::DG_BACKEND
