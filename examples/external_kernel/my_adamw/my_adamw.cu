// AdamW, one thread to an element. Loshchilov and Hutter, "Decoupled Weight Decay Regularization"
// (arXiv:1711.05101), algorithm 2, as torch.optim.AdamW documents it, without its options.
#include <cmath>
#include <cstdint>

#include "kernels/backend/arguments.cuh"
#include "kernels/backend/powers.cuh"
#include "kernels/backend/tensor_table.cuh"

// DG_BACKEND is host or cuda: this file is compiled once for each.
namespace driftgate::kernels::DG_BACKEND {
namespace {

// In the order of the dtypes below.
enum role { param, grad, exp_avg, exp_avg_sq, roles };

// Computed in double and rounded once.
struct coefficients {
  float beta1, one_minus_beta1, beta2, one_minus_beta2, step_size, root_correction2, eps, keep;
};

template <class Index>
__global__ void my_adamw_kernel(tensor_table<roles, Index> table, coefficients c) {
  const auto chunk = table.chunks[blockIdx.x];
  const auto& tensor = table.rows[chunk.row];
  if (static_cast<int>(threadIdx.x) >= chunk.elements) return;
  const Index i = chunk.first + static_cast<Index>(threadIdx.x);
  float& p = *at<float>(tensor, param, i);
  float& m = *at<float>(tensor, exp_avg, i);
  float& v = *at<float>(tensor, exp_avg_sq, i);
  const float g = *at<float>(tensor, grad, i);

  m = c.beta1 * m + c.one_minus_beta1 * g;
  v = c.beta2 * v + c.one_minus_beta2 * g * g;
  p = c.keep * p - c.step_size * m / (sqrtf(v) / c.root_correction2 + c.eps);
}

struct update {
  using table = tensor_table<roles>;
  static constexpr const char* dtypes = "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32";
  static constexpr int chunk_elements = 256;

  static int run(const table& tensors, const dg_step& step) {
    double lr, beta1, beta2, eps, weight_decay;
    const int error = read_scalars(step, {{"lr", &lr},
                                          {"beta1", &beta1},
                                          {"beta2", &beta2},
                                          {"eps", &eps},
                                          {"weight_decay", &weight_decay}});
    if (error) return error;
    coefficients c;
    c.beta1 = static_cast<float>(beta1);
    c.one_minus_beta1 = static_cast<float>(1 - beta1);
    c.beta2 = static_cast<float>(beta2);
    c.one_minus_beta2 = static_cast<float>(1 - beta2);
    c.step_size = static_cast<float>(lr / one_minus_power(beta1, step.step));
    c.root_correction2 = static_cast<float>(std::sqrt(one_minus_power(beta2, step.step)));
    c.eps = static_cast<float>(eps);
    c.keep = static_cast<float>(1 - lr * weight_decay);
    return launch_chunks(my_adamw_kernel<table::index>, tensors, chunk_elements, step, c);
  }
};

}  // namespace

// The file's name is the kernel's: driftgate looks for this object.
const dg_kernel my_adamw = table_kernel<update>::describe(
    "my_adamw", "adamw", /*options=*/"", "compute=f32 rounding=nearest", "launches=1 bytes=28");

}  // namespace driftgate::kernels::DG_BACKEND
