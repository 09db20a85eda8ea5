// AdamW kernels with 16-bit roles: the kernel in f32 between an exact conversion and one rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "kernels/abi/registry.hpp"
#include "oracles/formats/format.hpp"
#include "tests/kernels/adamw_lists.hpp"

namespace driftgate::tests {
namespace {

using formats::format_id;

std::vector<const dg_kernel*> narrow_kernels() {
  std::vector<const dg_kernel*> found;
  for (const dg_kernel* kernel : abi::registered_kernels()) {
    const bool narrow = std::string(kernel->dtypes).find("16") != std::string::npos;
    if (narrow && kernel->rule == std::string("adamw") && kernel->device == std::string("cpu")) {
      found.push_back(kernel);
    }
  }
  return found;
}

std::vector<std::string> narrow_names() {
  std::vector<std::string> names;
  for (const dg_kernel* kernel : narrow_kernels()) names.emplace_back(kernel->name);
  return names;
}

const dg_kernel& kernel_named(const std::string& name) {
  for (const dg_kernel* kernel : abi::registered_kernels()) {
    if (kernel->name == name && kernel->device == std::string("cpu")) return *kernel;
  }
  throw std::logic_error("there is no kernel " + name);
}

std::map<std::string, format_id> formats_of(const dg_kernel& kernel) {
  std::map<std::string, format_id> formats;
  std::istringstream words(kernel.dtypes);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const auto format = formats::parse(word.substr(equals + 1));
    if (format) formats[word.substr(0, equals)] = *format;  // a counter has none of them
  }
  return formats;
}

// One role's tensors in its format, `offset` elements off a 256-byte boundary.
struct stored_role {
  std::string name;
  format_id format;
  std::vector<std::vector<std::byte>> memory{};
  std::vector<std::byte*> data{};
  std::vector<DLTensor> tensors{};

  void add(std::span<const float> values, const std::int64_t& size, std::size_t offset) {
    const std::size_t element = formats::bytes(format);
    auto& room = memory.emplace_back(512 + values.size() * element);
    const auto address = reinterpret_cast<std::uintptr_t>(room.data());
    std::byte* const start = room.data() + (256 - address % 256) + offset * element;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t bits = formats::encode(format, values[i]);
      std::memcpy(start + i * element, &bits, element);
    }
    data.push_back(start);
    const std::uint8_t code = format == format_id::bf16 ? kDLBfloat : kDLFloat;
    const auto bits = static_cast<std::uint8_t>(8 * element);
    tensors.push_back(
        {start, {kDLCPU, 0}, 1, {code, bits, 1}, const_cast<std::int64_t*>(&size), nullptr, 0});
  }
  std::uint64_t bits(std::size_t tensor, std::size_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data[tensor] + i * formats::bytes(format), formats::bytes(format));
    return bits;
  }
};

class AdamwNarrow : public testing::TestWithParam<std::string> {
 protected:
  // Runs the kernel and the one in f32 on the same values, and compares every bit of every output.
  void expect_rounded_f32(const std::vector<std::int64_t>& sizes, double amsgrad,
                          const std::array<std::size_t, 6>& offsets) {
    const dg_kernel& kernel = kernel_named(GetParam());
    auto formats = formats_of(kernel);
    const bool has_master = formats.contains("master_param");
    adamw_lists plain(sizes, seed_t{8});
    plain.scalars[5].second = amsgrad;
    plain.step = 7;
    std::vector<stored_role> roles;
    for (std::size_t r = 0; r < adamw_lists::num_roles; ++r) {
      stored_role& role = roles.emplace_back(stored_role{plain.names[r], formats[plain.names[r]]});
      for (std::size_t t = 0; t < sizes.size(); ++t) {
        const std::span values(plain.data(r, t), static_cast<std::size_t>(sizes[t]));
        role.add(values, sizes[t], offsets[r]);
        // A master is not rounded. What its copy held before is not read, so it may be anything.
        if (r == adamw_lists::param && has_master) {
          std::memset(role.data[t], 0xff, values.size() * formats::bytes(role.format));
          continue;
        }
        for (float& x : values) x = static_cast<float>(formats::round(role.format, x));
      }
    }
    if (has_master) {
      stored_role& role = roles.emplace_back(stored_role{"master_param", format_id::f32});
      for (std::size_t t = 0; t < sizes.size(); ++t) {
        role.add(std::span(plain.data(0, t), static_cast<std::size_t>(sizes[t])), sizes[t],
                 offsets[5]);
      }
    }
    adamw_lists::arguments arguments = plain.make_arguments();
    ASSERT_EQ(run(kernel_named("adamw"), arguments), 0);
    arguments.lists.erase(arguments.lists.begin(), arguments.lists.begin() + plain.num_roles);
    for (stored_role& role : roles) {
      arguments.lists.push_back(
          {role.name.c_str(), static_cast<std::int32_t>(sizes.size()), role.tensors.data()});
    }
    ASSERT_EQ(run(kernel, arguments), 0);
    for (const stored_role& role : roles) {
      const auto found = std::find(plain.names.begin(), plain.names.end(), role.name);
      const auto r = found == plain.names.end() ? 0 : found - plain.names.begin();
      for (std::size_t t = 0; t < sizes.size(); ++t) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(sizes[t]); ++i) {
          const float in_f32 = plain.data(static_cast<std::size_t>(r), t)[i];
          ASSERT_EQ(role.bits(t, i), formats::encode(role.format, in_f32))
              << role.name << "[" << t << "][" << i << "]";
        }
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Kernels, AdamwNarrow, testing::ValuesIn(narrow_names()),
                         [](const auto& name) { return name.param; });

TEST_P(AdamwNarrow, IsTheKernelInF32BetweenConversionsAtAnyAlignment) {
  for (const double amsgrad : {0, 1}) {
    expect_rounded_f32({1, 10'000, 0, 4097, 3}, amsgrad, {});
    expect_rounded_f32({4096, 9, 5000}, amsgrad, {1, 1, 1, 1, 1, 1});
    for (std::size_t role = 0; role < 6; ++role) {
      std::array<std::size_t, 6> offsets{};
      offsets[role] = 1 + role % 3;
      expect_rounded_f32({4096, 9, 5000}, amsgrad, offsets);
    }
  }
}

TEST(AdamwNarrowKernels, ThereIsOneForEachFormatAndOneWithAMaster) {
  std::set<std::string> storages;
  for (const dg_kernel* kernel : narrow_kernels()) storages.insert(kernel->dtypes);
  const std::string moments = "exp_avg=f32 exp_avg_sq=f32 max_exp_avg_sq=f32";
  EXPECT_TRUE(storages.contains("param=bf16 grad=bf16 " + moments));
  EXPECT_TRUE(storages.contains("param=f16 grad=f16 " + moments));
  EXPECT_TRUE(storages.contains("param=bf16 grad=bf16 " + moments + " master_param=f32"));
}

}  // namespace
}  // namespace driftgate::tests
