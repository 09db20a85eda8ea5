// Reading a dg_step: roles and scalars by name, checked against the kernel's contract. Host code.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "kernels/backend/backend.cuh"

namespace driftgate::kernels::DG_BACKEND {

// What a kernel's functions return. A launch's own error code is added to launch_failed.
enum error_code : int {
  ok,
  wrong_abi,
  bad_step,
  missing_role,
  missing_scalar,
  wrong_count,
  wrong_size,
  wrong_dtype,
  wrong_device,
  not_contiguous,
  no_data,
  too_many_elements,
  too_many_chunks,
  workspace_too_small,
  out_of_memory,
  launch_failed = 1000
};

inline const char* sentence(int code) {
  switch (code) {
    case ok:
      return "Nothing is wrong.";
    case wrong_abi:
      return "The step was made for another version of the kernel ABI.";
    case bad_step:
      return "The step's number is below 1.";
    case missing_role:
      return "A role that the contract's dtypes name is missing.";
    case missing_scalar:
      return "A scalar of the rule is missing.";
    case wrong_count:
      return "The number of tensors is negative or differs between roles.";
    case wrong_size:
      return "A tensor's size is negative or differs between roles.";
    case wrong_dtype:
      return "A tensor's dtype is not the contract's.";
    case wrong_device:
      return "A tensor is not on the contract's device.";
    case not_contiguous:
      return "A tensor has strides or a byte offset.";
    case no_data:
      return "A tensor that has elements has no data.";
    case too_many_elements:
      return "A tensor has more elements than the kernel's index type can count.";
    case too_many_chunks:
      return "The tensors have more chunks than a launch can have blocks.";
    case workspace_too_small:
      return "The workspace is smaller than workspace_bytes said.";
    case out_of_memory:
      return "There is no host memory left for the plan.";
    default:
      return code >= launch_failed ? launch_error(code - launch_failed) : "No such error code.";
  }
}

inline int from_launch(int code) {
  return code == 0 ? ok : launch_failed + code;
}

inline int check_abi(const dg_step& step) {
  if (step.abi_version != DG_ABI_VERSION || step.struct_bytes < sizeof(dg_step)) return wrong_abi;
  return step.step >= 1 ? ok : bad_step;
}

struct named_scalar {
  std::string_view name;
  double* value;
};

// Sets every named scalar, or returns missing_scalar.
inline int read_scalars(const dg_step& step, std::initializer_list<named_scalar> wanted) {
  const dg_scalar* const end = step.scalars + step.num_scalars;
  for (const named_scalar& scalar : wanted) {
    const dg_scalar* const found = std::find_if(
        step.scalars, end, [&](const dg_scalar& given) { return scalar.name == given.name; });
    if (found == end) return missing_scalar;
    *scalar.value = found->value;
  }
  return ok;
}

// How a contract's format travels; 8-bit codes do so as bytes.
inline DLDataType dtype_of(std::string_view format) {
  if (format == "f64") return {kDLFloat, 64, 1};
  if (format == "f32") return {kDLFloat, 32, 1};
  if (format == "f16") return {kDLFloat, 16, 1};
  if (format == "bf16") return {kDLBfloat, 16, 1};
  if (format == "i64") return {kDLInt, 64, 1};
  return {kDLUInt, 8, 1};
}

// The number of elements, or -1 if the shape is impossible.
inline std::int64_t elements_of(const DLTensor& tensor) {
  std::int64_t elements = 1;
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] < 0 || __builtin_mul_overflow(elements, tensor.shape[i], &elements)) {
      return -1;
    }
  }
  return elements;
}

// The list of this role, or null.
inline const dg_tensors* find_list(const dg_step& step, std::string_view role) {
  const dg_tensors* const end = step.lists + step.num_lists;
  const dg_tensors* const found =
      std::find_if(step.lists, end, [&](const dg_tensors& given) { return role == given.role; });
  return found == end ? nullptr : found;
}

inline int check_tensor(const DLTensor& tensor, DLDataType dtype) {
  const std::int64_t elements = elements_of(tensor);
  if (elements < 0) return wrong_size;
  if (tensor.dtype.code != dtype.code || tensor.dtype.bits != dtype.bits ||
      tensor.dtype.lanes != dtype.lanes) {
    return wrong_dtype;
  }
  if (tensor.device.device_type != device_type) return wrong_device;
  if (tensor.strides != nullptr || tensor.byte_offset != 0) return not_contiguous;
  return elements > 0 && tensor.data == nullptr ? no_data : ok;
}

// A kernel's lists of tensors, in the order of its contract's dtypes ("role=format ...").
template <int Roles>
struct tensor_lists {
  std::array<const dg_tensors*, Roles> roles{};

  std::int32_t count() const { return roles[0]->count; }
  const DLTensor& tensor(int role, std::int32_t i) const { return roles[role]->tensors[i]; }

  int find(const dg_step& step, std::string_view dtypes) {
    for (const dg_tensors*& list : roles) {
      const std::string_view word = dtypes.substr(0, dtypes.find(' '));
      dtypes.remove_prefix(std::min(dtypes.size(), word.size() + 1));
      const std::size_t equals = word.find('=');
      list = find_list(step, word.substr(0, equals));
      if (list == nullptr) return missing_role;
      if (list->count < 0 || list->count != count()) return wrong_count;
      for (std::int32_t i = 0; i < count(); ++i) {
        const DLTensor& tensor = list->tensors[i];
        if (const int error = check_tensor(tensor, dtype_of(word.substr(equals + 1)))) return error;
        if (elements_of(tensor) != elements_of(this->tensor(0, i))) return wrong_size;
      }
    }
    return ok;
  }
};

}  // namespace driftgate::kernels::DG_BACKEND
