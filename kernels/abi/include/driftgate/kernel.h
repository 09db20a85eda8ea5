/* The kernel ABI, version 1: how driftgate calls an optimizer kernel.
 *
 * Plain C, so that a kernel written in any language with a C interface can be verified. A plugin is
 * a shared object that exports dg_plugin_kernels; kernels inside driftgate register the same table.
 * docs/adding-a-kernel.md says what each word of `dtypes`, `options`, `numerics` and `budget`
 * means.
 */
#ifndef DRIFTGATE_KERNEL_H_
#define DRIFTGATE_KERNEL_H_

#include <dlpack/dlpack.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DG_ABI_VERSION 1u

/* One list of tensors per role, with at least one tensor. Tensor i of every list belongs to the
 * same parameter. Tensors are contiguous and row-major: strides is NULL, byte_offset 0, ndim
 * anything from 0 on. Data is aligned to its element only, each role on its own. An empty tensor's
 * data may be NULL. Tensors do not overlap. fp8 and 8-bit codes travel as uint8. */
typedef struct dg_tensors {
  const char* role; /* PyTorch's name: "param", "grad", "exp_avg", ... */
  int32_t count;
  DLTensor* tensors;
} dg_tensors;

/* A hyperparameter by name. Booleans are 0 or 1. The double is exact: it is the rule's real number.
 */
typedef struct dg_scalar {
  const char* name;
  double value;
} dg_scalar;

/* Four roles of one element may be listed by a kernel of any rule, in any memory that its other
 * roles are in: one tensor each, however many the others have.
 *   step        i64  steps taken so far; the kernel counts it up in place and takes the new number,
 *                    not dg_step's
 *   lr          f32  read in place of the scalar
 *   grad_scale  f32  the step begins with grad / grad_scale; grad itself stays as it is
 *   found_inf   f32  unless it is 0, the step changes nothing, step included
 * They are how a captured step sees new values at every replay. */

/* The arguments of one optimizer step. All roles and scalars of the rule are always there, in any
 * order; a role that the rule calls optional is there if the contract's dtypes list it. The struct,
 * its arrays and names are to be read only, and gone when the call returns; the tensors and the
 * workspace stay where they are from prepare to release. */
typedef struct dg_step {
  uint32_t abi_version;
  uint32_t struct_bytes; /* sizeof(dg_step) of the caller */
  int64_t step;          /* 1 is the first step */
  const dg_tensors* lists;
  int32_t num_lists;
  const dg_scalar* scalars;
  int32_t num_scalars;
  uint64_t seed; /* for stochastic rounding; changes at every step */
  /* workspace_bytes bytes, 256-byte aligned. The plan's own from prepare to release; its contents
   * at prepare are undefined (another plan's, for instance). */
  void* workspace;
  uint64_t workspace_bytes;
  void* stream; /* cudaStream_t for a CUDA kernel, else NULL */
} dg_step;

/* A kernel and its contract. Only abi_version, name, rule, device, dtypes and step are required;
 * the rest may be NULL or 0. A function that returns int returns 0 for success. */
typedef struct dg_kernel {
  uint32_t abi_version;
  uint32_t struct_bytes; /* sizeof(dg_kernel), or 0 for this version's size */
  const char* name;
  const char* rule;     /* "adamw", ... */
  const char* device;   /* "cpu" | "cuda" */
  const char* dtypes;   /* "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32" */
  const char* options;  /* what it supports beyond the plain rule: "amsgrad maximize" */
  const char* numerics; /* "compute=f32 rounding=nearest ..." */
  const char* budget;   /* "launches=1 bytes=28 ..." (bytes per element) */

  /* Bytes of workspace that prepare and step need for tensors of these sizes. */
  uint64_t (*workspace_bytes)(const dg_step* step);
  /* Makes a plan for these pointers and sizes. Contents, step (in any order), scalars and seed may
   * change before every step. Any number of plans may live at once, also for the same tensors.
   * Calls do not overlap. */
  int (*prepare)(const dg_step* step, void** plan);
  /* Updates in place every role that the rule calls mutable; writes nothing else but its workspace,
   * not even to restore it. On the host all is done when it returns, on a device when the stream
   * has got there. */
  int (*step)(const dg_step* step, void* plan);
  void (*release)(void* plan);
  /* A sentence for a non-zero return value. */
  const char* (*error)(int code);
} dg_kernel;

/* The one symbol that a plugin exports: its kernels, alive as long as the plugin is loaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count);

#ifdef __cplusplus
}
#endif

#endif /* DRIFTGATE_KERNEL_H_ */
