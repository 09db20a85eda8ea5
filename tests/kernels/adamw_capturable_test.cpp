// AdamW with roles of one element: what they hold is read in the step, and counted.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kernels/abi/registry.hpp"
#include "tests/kernels/adamw_lists.hpp"

namespace driftgate::tests {
namespace {

const dg_kernel& host_kernel(const std::string& name) {
  for (const dg_kernel* kernel : abi::registered_kernels()) {
    if (kernel->name == name && kernel->device == std::string("cpu")) return *kernel;
  }
  throw std::logic_error("there is no kernel " + name);
}

class AdamwCapturable : public testing::Test {
 protected:
  const dg_kernel& kernel_ = host_kernel("adamw_capturable");
  adamw_lists lists_{{5, 0, 4097}, seed_t{1}};
};

TEST_F(AdamwCapturable, TakesTheBitsOfTheKernelWithScalars) {
  adamw_lists same = lists_;
  lists_.step = same.step = 7;
  adamw_lists::arguments arguments = lists_.make_arguments();
  // Neither is read.
  arguments.step.step = 1000;
  arguments.scalars.front().value = 3;
  ASSERT_EQ(run(kernel_, arguments), 0);
  ASSERT_EQ(run(host_kernel("adamw"), same), 0);
  EXPECT_EQ(lists_.bits(), same.bits());
  EXPECT_EQ(lists_.one.step, 7);
}

TEST_F(AdamwCapturable, TakesTheLossScaleOutAndKeepsTheGradient) {
  adamw_lists same = lists_;
  for (std::size_t i = 0; i < lists_.sizes.size(); ++i) {
    for (std::int64_t k = 0; k < lists_.sizes[i]; ++k) lists_.data(adamw_lists::grad, i)[k] *= 1024;
  }
  const auto gradient = lists_.bits(adamw_lists::grad);
  lists_.one.grad_scale = 1024;
  ASSERT_EQ(run(kernel_, lists_), 0);
  ASSERT_EQ(run(kernel_, same), 0);
  EXPECT_EQ(lists_.bits(adamw_lists::param), same.bits(adamw_lists::param));
  EXPECT_EQ(lists_.bits(adamw_lists::exp_avg_sq), same.bits(adamw_lists::exp_avg_sq));
  EXPECT_EQ(lists_.bits(adamw_lists::grad), gradient);
}

TEST_F(AdamwCapturable, ASkippedStepChangesNothingAndIsNotCounted) {
  for (const float found : {1.0F, -1.0F, std::numeric_limits<float>::quiet_NaN()}) {
    const auto before = lists_.bits();
    lists_.one.found_inf = found;
    ASSERT_EQ(run(kernel_, lists_), 0);
    EXPECT_EQ(lists_.bits(), before);
    EXPECT_EQ(lists_.one.step, 0);
  }
}

TEST_F(AdamwCapturable, AStepOverEmptyTensorsIsCounted) {
  adamw_lists nothing({0, 0}, seed_t{1});
  ASSERT_EQ(run(kernel_, nothing), 0);
  EXPECT_EQ(nothing.one.step, 1);
}

TEST_F(AdamwCapturable, CountsBeyond32Bits) {
  lists_.step = (std::int64_t{1} << 32) + 1;
  ASSERT_EQ(run(kernel_, lists_), 0);
  EXPECT_EQ(lists_.one.step, (std::int64_t{1} << 32) + 1);
}

TEST_F(AdamwCapturable, RefusesARoleThatIsMissingLongerOrOfAnotherType) {
  const auto complaint = [&](auto spoil) {
    adamw_lists::arguments arguments = lists_.make_arguments();
    spoil(arguments.lists[adamw_lists::num_roles]);
    return std::string(kernel_.error(run(kernel_, arguments)));
  };
  EXPECT_EQ(complaint([](dg_tensors& step) { step.role = "steps"; }),
            "A role that the contract's dtypes name is missing.");
  EXPECT_EQ(complaint([](dg_tensors& step) { step.count = 2; }),
            "The number of tensors is negative or differs between roles.");
  EXPECT_EQ(complaint([](dg_tensors& step) { step.tensors->dtype.bits = 32; }),
            "A tensor's dtype is not the contract's.");
  static std::int64_t two = 2;
  EXPECT_EQ(complaint([](dg_tensors& step) {
              step.tensors->ndim = 1;
              step.tensors->shape = &two;
            }),
            "A tensor's size is negative or differs between roles.");
  EXPECT_EQ(lists_.one.step, 0);
}

}  // namespace
}  // namespace driftgate::tests
