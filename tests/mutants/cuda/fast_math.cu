// Compiled with what a fast build of CUDA code often is.
// law: host_and_device bits_differ
// flags: -use_fast_math
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {

const dg_kernel fast_math = mutant<elementwise_update>("fast_math");

}  // namespace driftgate::kernels::DG_BACKEND
