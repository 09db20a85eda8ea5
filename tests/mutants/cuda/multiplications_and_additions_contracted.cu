// Compiled as nvcc does unless it is told otherwise: with contraction to fused multiply-adds.
// law: host_and_device bits_differ
// flags: -fmad=true -ftz=false -prec-div=true -prec-sqrt=true
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {

const dg_kernel multiplications_and_additions_contracted =
    mutant<elementwise_update>("multiplications_and_additions_contracted");

}  // namespace driftgate::kernels::DG_BACKEND
