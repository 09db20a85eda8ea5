/* A plugin by hand: AdamW without its options, in C, from driftgate/kernel.h alone.
 *
 *   gcc -O2 -ffp-contract=off -shared -fPIC -I PREFIX/include mine.c -o mine.so -lm
 *   driftgate check mine.so
 */
#include <math.h>
#include <string.h>

#include "driftgate/kernel.h"

static double scalar(const dg_step* s, const char* name) {
  for (int k = 0; k < s->num_scalars; ++k) {
    if (strcmp(s->scalars[k].name, name) == 0) return s->scalars[k].value;
  }
  return NAN;
}

static const DLTensor* tensors(const dg_step* s, const char* role) {
  for (int k = 0; k < s->num_lists; ++k) {
    if (strcmp(s->lists[k].role, role) == 0) return s->lists[k].tensors;
  }
  return NULL;
}

static int step(const dg_step* s, void* plan) {
  const double beta1 = scalar(s, "beta1"), beta2 = scalar(s, "beta2"), lr = scalar(s, "lr");
  const float b1 = beta1, one_minus_b1 = 1 - beta1, b2 = beta2, one_minus_b2 = 1 - beta2;
  const float step_size = lr / -expm1(s->step * log(beta1)); /* 1 - beta^t, without cancellation */
  const float root_correction = sqrt(-expm1(s->step * log(beta2)));
  const float eps = scalar(s, "eps"), keep = 1 - lr * scalar(s, "weight_decay");
  (void)plan;
  for (int i = 0; i < s->lists[0].count; ++i) {
    const DLTensor* shape = &tensors(s, "param")[i];
    float* p = shape->data;
    const float* g = tensors(s, "grad")[i].data;
    float* m = tensors(s, "exp_avg")[i].data;
    float* v = tensors(s, "exp_avg_sq")[i].data;
    int64_t n = 1;
    for (int d = 0; d < shape->ndim; ++d) n *= shape->shape[d];
    for (int64_t k = 0; k < n; ++k) {
      m[k] = b1 * m[k] + one_minus_b1 * g[k];
      v[k] = b2 * v[k] + one_minus_b2 * g[k] * g[k];
      p[k] = keep * p[k] - step_size * m[k] / (sqrtf(v[k]) / root_correction + eps);
    }
  }
  return 0;
}

int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count) {
  static const dg_kernel mine = {
      .abi_version = DG_ABI_VERSION,
      .name = "mine",
      .rule = "adamw",
      .device = "cpu",
      .dtypes = "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32",
      .numerics = "compute=f32 rounding=nearest",
      .step = step,
  };
  *kernels = &mine;
  *count = 1;
  return 0;
}
