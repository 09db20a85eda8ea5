// AdamW with the step's number, the learning rate, the loss scale and the skip in tensors of one
// element: a captured step reads them anew at every replay, and counts itself.
#pragma once

#include "kernels/adamw/adamw_packed.cuh"

namespace driftgate::kernels::DG_BACKEND {

template <class Storage, class Index>
struct adamw_capturable_block {
  using table = counted_table<Storage::roles, Index>;

  // One thread computes the coefficients for its block.
  struct shared {
    adamw_coefficients c;
    divided_by scale;
    bool skipped;
  };

  static __device__ void begin(shared& s, const table& tensors, const adamw_scalars& given) {
    if (threadIdx.x != 0) return;
    const scalar_roles& roles = tensors.scalars;
    adamw_scalars now = given;
    now.lr = *roles.lr;
    s.c.set(now, *roles.step + 1);
    s.scale.scale = *roles.grad_scale;
    s.skipped = *roles.found_inf != 0;
  }

  static __device__ void update(const shared& s, const table& tensors,
                                const adamw_scalars& /*given*/) {
    if (threadIdx.x == 0) tensors.count(s.skipped);
    if (s.skipped || blockIdx.x >= tensors.num_chunks) return;
    adamw_update_chunk<Storage>(tensors, s.c, s.scale);
  }
};

template <class Storage, class Index>
struct adamw_capturable_update {
  using table = counted_table<Storage::roles, Index>;
  static constexpr int threads = 256;
  static constexpr int chunk_elements = 4 * 4 * threads;  // four packs to a thread

  static int run(const table& tensors, const dg_step& step) {
    adamw_scalars given;
    if (const int error = given.read(step)) return error;
    return launch_counted<adamw_capturable_block<Storage, Index>>(tensors, threads, step, given);
  }
};

}  // namespace driftgate::kernels::DG_BACKEND
