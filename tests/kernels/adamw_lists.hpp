// AdamW's lists of tensors with memory of their own, and steps over them through the ABI.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "driftgate/kernel.h"

namespace driftgate::tests {

struct seed_t {
  std::uint64_t value;
};

struct adamw_lists {
  enum role_index { param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq, num_roles };
  static constexpr std::array<const char*, num_roles> names{"param", "grad", "exp_avg",
                                                            "exp_avg_sq", "max_exp_avg_sq"};

  // Tensors of these sizes; a role's data is `offsets` elements off a 16-byte boundary. The
  // elements depend on the seed and on their place in the whole list only, not on how it is cut
  // into tensors.
  adamw_lists(const std::vector<std::int64_t>& tensor_sizes, seed_t seed,
              const std::array<int, num_roles>& offsets = {})
      : sizes(tensor_sizes), offset(offsets) {
    std::normal_distribution<float> normal;
    for (std::size_t r = 0; r < num_roles; ++r) {
      std::mt19937_64 bits(seed.value + r);
      for (const std::int64_t size : sizes) {
        memory[r].emplace_back(static_cast<std::size_t>(size) + 4);
        for (std::int64_t i = 0; i < size; ++i) {
          const float x = normal(bits);
          data(r, memory[r].size() - 1)[i] = r < exp_avg_sq ? x : x * x;
        }
      }
    }
  }

  float* data(std::size_t role, std::size_t tensor) {
    static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16,
                  "a vector's data is on a 16-byte boundary");
    return memory[role][tensor].data() + offset[role];
  }

  // The bits of a role's elements, one tensor after the other. All NaN count as one.
  std::vector<std::uint32_t> bits(std::size_t role) {
    std::vector<std::uint32_t> all;
    for (std::size_t tensor = 0; tensor < sizes.size(); ++tensor) {
      for (std::int64_t i = 0; i < sizes[tensor]; ++i) {
        const float x = data(role, tensor)[i];
        all.push_back(std::bit_cast<std::uint32_t>(
            std::isnan(x) ? std::numeric_limits<float>::quiet_NaN() : x));
      }
    }
    return all;
  }
  std::vector<std::vector<std::uint32_t>> bits() {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t role = 0; role < num_roles; ++role) all.push_back(bits(role));
    return all;
  }

  // A step's arguments, which point into this object; a test may change them before it runs them.
  struct arguments {
    std::vector<std::vector<DLTensor>> tensors;
    std::vector<dg_tensors> lists;
    std::vector<dg_scalar> scalars;
    dg_step step{};
  };

  // The roles of one element; `make_arguments` sets the first two.
  struct scalar_roles {
    std::int64_t step = 0;
    float lr = 0, grad_scale = 1, found_inf = 0;
  };

  arguments make_arguments() {
    arguments made;
    made.tensors.reserve(num_roles + 4);  // lists point into it
    made.tensors.resize(num_roles);
    for (std::size_t r = 0; r < num_roles; ++r) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        void* const address = sizes[i] > 0 ? data(r, i) : nullptr;
        made.tensors[r].push_back(
            {address, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, &sizes[i], nullptr, 0});
      }
      made.lists.push_back(
          {names[r], static_cast<std::int32_t>(sizes.size()), made.tensors[r].data()});
    }
    one.step = step - 1;
    one.lr = static_cast<float>(scalars.front().second);
    add_scalar_role(made, "step", &one.step, {kDLInt, 64, 1});
    add_scalar_role(made, "lr", &one.lr, {kDLFloat, 32, 1});
    add_scalar_role(made, "grad_scale", &one.grad_scale, {kDLFloat, 32, 1});
    add_scalar_role(made, "found_inf", &one.found_inf, {kDLFloat, 32, 1});
    for (const auto& [name, value] : scalars) made.scalars.push_back({name.c_str(), value});
    made.step.abi_version = DG_ABI_VERSION;
    made.step.struct_bytes = sizeof(dg_step);
    made.step.step = step;
    return made;
  }

  static void add_scalar_role(arguments& to, const char* role, void* data, DLDataType type) {
    to.tensors.push_back({{data, {kDLCPU, 0}, 0, type, nullptr, nullptr, 0}});
    to.lists.push_back({role, 1, to.tensors.back().data()});
  }

  scalar_roles one;
  std::vector<std::int64_t> sizes;
  std::array<int, num_roles> offset;
  std::array<std::vector<std::vector<float>>, num_roles> memory;
  std::int64_t step = 1;
  // A rate that a float holds; it comes first.
  std::vector<std::pair<std::string, double>> scalars{
      {"lr", 0x1p-10},        {"beta1", 0.9}, {"beta2", 0.999}, {"eps", 1e-8},
      {"weight_decay", 1e-2}, {"amsgrad", 0}, {"maximize", 0}};
};

// Prepares, steps once and releases. Returns the first error code.
inline int run(const dg_kernel& kernel, adamw_lists::arguments& arguments) {
  dg_step& step = arguments.step;
  step.lists = arguments.lists.data();
  step.num_lists = static_cast<std::int32_t>(arguments.lists.size());
  step.scalars = arguments.scalars.data();
  step.num_scalars = static_cast<std::int32_t>(arguments.scalars.size());
  step.workspace_bytes = kernel.workspace_bytes(&step);
  std::vector<char> workspace(step.workspace_bytes);
  step.workspace = workspace.data();
  void* plan = nullptr;
  if (const int error = kernel.prepare(&step, &plan)) return error;
  const int error = kernel.step(&step, plan);
  kernel.release(plan);
  return error;
}

inline int run(const dg_kernel& kernel, adamw_lists& lists) {
  adamw_lists::arguments arguments = lists.make_arguments();
  return run(kernel, arguments);
}

}  // namespace driftgate::tests
