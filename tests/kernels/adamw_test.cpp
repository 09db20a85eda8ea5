#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "kernels/abi/registry.hpp"
#include "tests/kernels/adamw_lists.hpp"

namespace driftgate::tests {
namespace {

// The host's AdamW kernels in f32 by name.
std::map<std::string, const dg_kernel*> adamw_kernels() {
  std::map<std::string, const dg_kernel*> found;
  for (const dg_kernel* kernel : abi::registered_kernels()) {
    const bool in_f32 = std::string(kernel->dtypes).find("16") == std::string::npos;
    if (in_f32 && kernel->rule == std::string("adamw") && kernel->device == std::string("cpu")) {
      found.emplace(kernel->name, kernel);
    }
  }
  return found;
}

std::vector<std::string> adamw_names() {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : adamw_kernels()) names.push_back(name);
  return names;
}

class AdamwTest : public testing::TestWithParam<std::string> {
 protected:
  const dg_kernel& kernel_ = *adamw_kernels().at(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Kernels, AdamwTest, testing::ValuesIn(adamw_names()),
                         [](const auto& name) { return name.param; });

// One element whose arithmetic is exact: at t = 1 the corrections 1/2 and 1/4 cancel the weights of
// m and v, so the update is lr * sign(g).
adamw_lists exact_case(float p, float g) {
  adamw_lists lists({1}, seed_t{0});
  for (std::size_t role = 0; role < adamw_lists::num_roles; ++role) *lists.data(role, 0) = 0;
  *lists.data(adamw_lists::param, 0) = p;
  *lists.data(adamw_lists::grad, 0) = g;
  lists.scalars = {{"lr", 0.5},           {"beta1", 0.5}, {"beta2", 0.75}, {"eps", 0},
                   {"weight_decay", 0.5}, {"amsgrad", 0}, {"maximize", 0}};
  return lists;
}

TEST_P(AdamwTest, TheFirstStepMovesByTheLearningRate) {
  adamw_lists lists = exact_case(0, 4);
  ASSERT_EQ(run(kernel_, lists), 0);
  EXPECT_EQ(*lists.data(adamw_lists::param, 0), -0.5f);
  EXPECT_EQ(*lists.data(adamw_lists::exp_avg, 0), 2);
  EXPECT_EQ(*lists.data(adamw_lists::exp_avg_sq, 0), 4);
  EXPECT_EQ(*lists.data(adamw_lists::grad, 0), 4);
}

TEST_P(AdamwTest, TheParameterDecaysBeforeTheUpdate) {
  adamw_lists lists = exact_case(1, 4);
  ASSERT_EQ(run(kernel_, lists), 0);
  // 0.75 - 0.5; after the update it would be 0.75 * (1 - 0.5).
  EXPECT_EQ(*lists.data(adamw_lists::param, 0), 0.25f);
}

TEST_P(AdamwTest, MaximizeMovesTheOtherWayAndKeepsTheGradient) {
  adamw_lists lists = exact_case(0, 4);
  lists.scalars.back().second = 1;
  ASSERT_EQ(run(kernel_, lists), 0);
  EXPECT_EQ(*lists.data(adamw_lists::param, 0), 0.5f);
  EXPECT_EQ(*lists.data(adamw_lists::exp_avg, 0), -2);
  EXPECT_EQ(*lists.data(adamw_lists::grad, 0), 4);
}

TEST_P(AdamwTest, AmsgradDividesByTheLargestSecondMoment) {
  adamw_lists lists = exact_case(0, 4);
  lists.scalars[5].second = 1;
  *lists.data(adamw_lists::max_exp_avg_sq, 0) = 16;
  ASSERT_EQ(run(kernel_, lists), 0);
  // (0.5 / 0.5) * 2 / (4 / 0.5)
  EXPECT_EQ(*lists.data(adamw_lists::param, 0), -0.25f);
  EXPECT_EQ(*lists.data(adamw_lists::exp_avg_sq, 0), 4);
  EXPECT_EQ(*lists.data(adamw_lists::max_exp_avg_sq, 0), 16);
}

TEST_P(AdamwTest, AmsgradKeepsANaNFromEitherMoment) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto role : {adamw_lists::exp_avg_sq, adamw_lists::max_exp_avg_sq}) {
    adamw_lists lists = exact_case(1, 4);
    lists.scalars[5].second = 1;
    *lists.data(role, 0) = nan;
    ASSERT_EQ(run(kernel_, lists), 0);
    EXPECT_TRUE(std::isnan(*lists.data(adamw_lists::max_exp_avg_sq, 0)));
    EXPECT_TRUE(std::isnan(*lists.data(adamw_lists::param, 0)));
  }
}

TEST_P(AdamwTest, WithoutAmsgradTheMaximumIsNotTouched) {
  adamw_lists lists({5000}, seed_t{1});
  const auto before = lists.bits(adamw_lists::max_exp_avg_sq);
  ASSERT_EQ(run(kernel_, lists), 0);
  EXPECT_EQ(lists.bits(adamw_lists::max_exp_avg_sq), before);
}

TEST(Adamw, AllKernelsGiveTheSameBits) {
  const auto kernels = adamw_kernels();
  ASSERT_GE(kernels.size(), 2u);
  for (const double amsgrad : {0, 1}) {
    for (const double maximize : {0, 1}) {
      std::vector<std::vector<std::vector<std::uint32_t>>> results;
      for (const auto& [name, kernel] : kernels) {
        adamw_lists lists({1, 10'000, 0, 4097, 3}, seed_t{2});
        lists.scalars[5].second = amsgrad;
        lists.scalars[6].second = maximize;
        ASSERT_EQ(run(*kernel, lists), 0);
        results.push_back(lists.bits());
      }
      for (const auto& result : results) EXPECT_EQ(result, results[0]);
    }
  }
}

TEST_P(AdamwTest, HowTheListIsCutChangesNoBit) {
  adamw_lists whole({30'000}, seed_t{3});
  ASSERT_EQ(run(kernel_, whole), 0);
  for (const auto& sizes : {std::vector<std::int64_t>{1, 29'999},
                            {16'384, 13'616},
                            {4096, 4095, 4097, 17'712},
                            std::vector<std::int64_t>(10'000, 3)}) {
    adamw_lists cut(sizes, seed_t{3});
    ASSERT_EQ(run(kernel_, cut), 0);
    EXPECT_EQ(cut.bits(), whole.bits());
  }
}

TEST_P(AdamwTest, EmptyTensorsAtAnyPositionChangeNoBit) {
  const std::vector<std::int64_t> sizes{5, 4097, 1, 300};
  adamw_lists full(sizes, seed_t{4});
  ASSERT_EQ(run(kernel_, full), 0);
  for (std::size_t position = 0; position <= sizes.size(); ++position) {
    for (const std::size_t count : {1, 3}) {
      auto with_empty = sizes;
      with_empty.insert(with_empty.begin() + static_cast<std::ptrdiff_t>(position), count, 0);
      adamw_lists lists(with_empty, seed_t{4});
      ASSERT_EQ(run(kernel_, lists), 0);
      EXPECT_EQ(lists.bits(), full.bits()) << count << " at " << position;
    }
  }
}

TEST_P(AdamwTest, ListsWithoutAnElementAreUpdatedToo) {
  for (const std::size_t count : {0, 1, 4}) {
    adamw_lists lists(std::vector<std::int64_t>(count, 0), seed_t{5});
    EXPECT_EQ(run(kernel_, lists), 0);
  }
}

TEST_P(AdamwTest, MisalignedRolesChangeNoBit) {
  adamw_lists aligned({4096, 9, 5000}, seed_t{6});
  ASSERT_EQ(run(kernel_, aligned), 0);
  // Every role alone at every offset, then all of them together.
  for (int offset = 1; offset < 4; ++offset) {
    for (std::size_t role = 0; role <= adamw_lists::num_roles; ++role) {
      std::array<int, adamw_lists::num_roles> offsets{};
      role < offsets.size() ? void(offsets[role] = offset) : offsets.fill(offset);
      adamw_lists lists({4096, 9, 5000}, seed_t{6}, offsets);
      ASSERT_EQ(run(kernel_, lists), 0);
      EXPECT_EQ(lists.bits(), aligned.bits()) << "role " << role << " at offset " << offset;
    }
  }
}

TEST_P(AdamwTest, RolesAndScalarsMayComeInAnyOrder) {
  adamw_lists in_order({100}, seed_t{7});
  ASSERT_EQ(run(kernel_, in_order), 0);
  adamw_lists reversed({100}, seed_t{7});
  auto arguments = reversed.make_arguments();
  std::reverse(arguments.lists.begin(), arguments.lists.end());
  std::reverse(arguments.scalars.begin(), arguments.scalars.end());
  ASSERT_EQ(run(kernel_, arguments), 0);
  EXPECT_EQ(reversed.bits(), in_order.bits());
}

TEST(Adamw, EveryKernelFileIsRegisteredUnderItsName) {
  std::multiset<std::string> registered;
  for (const dg_kernel* kernel : abi::registered_kernels()) registered.insert(kernel->name);
  for (const std::string name : {DRIFTGATE_KERNEL_NAMES})
    EXPECT_EQ(registered.count(name), 1u) << name;
}

}  // namespace
}  // namespace driftgate::tests
