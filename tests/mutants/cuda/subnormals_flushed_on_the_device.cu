// Compiled to flush subnormals to zero.
// law: host_and_device bits_differ
// flags: -fmad=false -ftz=true -prec-div=true -prec-sqrt=true
#include "tests/mutants/cuda/elementwise_kernel.cuh"

namespace driftgate::kernels::DG_BACKEND {

const dg_kernel subnormals_flushed_on_the_device =
    mutant<elementwise_update>("subnormals_flushed_on_the_device");

}  // namespace driftgate::kernels::DG_BACKEND
