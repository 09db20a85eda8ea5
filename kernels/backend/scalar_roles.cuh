// The roles of one element (driftgate/kernel.h), as a kernel that has all four of them holds them.
#pragma once

#include "kernels/backend/arguments.cuh"

namespace driftgate::kernels::DG_BACKEND {

// What such a kernel's dtypes end with.
#define DG_SCALAR_ROLES " step=i64 lr=f32 grad_scale=f32 found_inf=f32"

struct scalar_roles {
  std::int64_t* step = nullptr;
  const float* lr = nullptr;
  const float* grad_scale = nullptr;
  const float* found_inf = nullptr;

  int find(const dg_step& from) {
    int error = find_one(from, "step", "i64", step);
    if (error == ok) error = find_one(from, "lr", "f32", lr);
    if (error == ok) error = find_one(from, "grad_scale", "f32", grad_scale);
    if (error == ok) error = find_one(from, "found_inf", "f32", found_inf);
    return error;
  }

 private:
  template <class T>
  static int find_one(const dg_step& from, std::string_view role, std::string_view format, T*& at) {
    const dg_tensors* const list = find_list(from, role);
    if (list == nullptr) return missing_role;
    if (list->count != 1) return wrong_count;
    if (elements_of(*list->tensors) != 1) return wrong_size;
    at = static_cast<T*>(list->tensors->data);
    return check_tensor(*list->tensors, dtype_of(format));
  }
};

}  // namespace driftgate::kernels::DG_BACKEND
