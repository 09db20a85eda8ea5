// The kernels' sources themselves, with an index type that ordinary sizes overflow, and what a
// table refuses.
#include "kernels/backend/tensor_table.cuh"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/adamw/adamw.cu"
#include "kernels/adamw/adamw_plain.cu"
#include "tests/kernels/adamw_lists.hpp"

namespace driftgate::kernels::host {
namespace {

using tests::adamw_lists;
using tests::seed_t;

template <template <class> class Update>
struct with_index {
  template <class Index>
  static dg_kernel of() {
    return table_kernel<Update<Index>>::describe("", "adamw", "", "", "");
  }
};

template <class Kernel>
class IndexTest : public testing::Test {};
using updates = testing::Types<with_index<adamw_update>, with_index<adamw_plain_update>>;
TYPED_TEST_SUITE(IndexTest, updates);

TYPED_TEST(IndexTest, A16BitIndexRefusesMoreThan32767Elements) {
  adamw_lists lists({10, 40'000}, seed_t{1});
  const auto before = lists.bits();
  EXPECT_EQ(run(TypeParam::template of<std::int16_t>(), lists), too_many_elements);
  EXPECT_EQ(lists.bits(), before);
}

TYPED_TEST(IndexTest, A16BitIndexUpdatesAsManyAsItCounts) {
  adamw_lists narrow({32'767, 32'767, 5}, seed_t{2}), wide({32'767, 32'767, 5}, seed_t{2});
  ASSERT_EQ(run(TypeParam::template of<std::int16_t>(), narrow), ok);
  ASSERT_EQ(run(TypeParam::template of<std::int64_t>(), wide), ok);
  EXPECT_EQ(narrow.bits(), wide.bits());
}

TYPED_TEST(IndexTest, A64BitIndexUpdatesAll40000Elements) {
  adamw_lists lists({40'000}, seed_t{3}), one_by_one({40'000}, seed_t{3});
  ASSERT_EQ(run(TypeParam::template of<std::int64_t>(), lists), ok);
  adamw_coefficients c;
  const auto arguments = one_by_one.make_arguments();
  dg_step step = arguments.step;
  step.scalars = arguments.scalars.data();
  step.num_scalars = static_cast<std::int32_t>(arguments.scalars.size());
  ASSERT_EQ(c.read(step), ok);
  for (int i = 0; i < 40'000; ++i) {
    adamw_element(c, one_by_one.data(param, 0)[i], one_by_one.data(grad, 0)[i],
                  one_by_one.data(exp_avg, 0)[i], one_by_one.data(exp_avg_sq, 0)[i],
                  one_by_one.data(max_exp_avg_sq, 0)[i]);
  }
  EXPECT_EQ(lists.bits(), one_by_one.bits());
}

// What a kernel says to a step that `spoil` has changed.
template <class Spoil>
int error_after(Spoil spoil) {
  adamw_lists lists({10, 0, 20}, seed_t{4});
  auto arguments = lists.make_arguments();
  spoil(arguments);
  return run(adamw, arguments);
}

TEST(TensorTable, AStepOutsideTheContractIsRefusedWithItsReason) {
  using arguments = adamw_lists::arguments;
  std::int64_t negative = -1, shorter = 9, strides = 1;
  EXPECT_EQ(error_after([](arguments&) {}), ok);
  EXPECT_EQ(error_after([](arguments& a) { ++a.step.abi_version; }), wrong_abi);
  EXPECT_EQ(error_after([](arguments& a) { a.step.struct_bytes = 8; }), wrong_abi);
  EXPECT_EQ(error_after([](arguments& a) { a.step.step = 0; }), bad_step);
  EXPECT_EQ(error_after([](arguments& a) { a.lists[4].role = "other"; }), missing_role);
  EXPECT_EQ(error_after([](arguments& a) { a.scalars.pop_back(); }), missing_scalar);
  EXPECT_EQ(error_after([](arguments& a) { --a.lists[2].count; }), wrong_count);
  EXPECT_EQ(error_after([&](arguments& a) { a.tensors[0][0].shape = &negative; }), wrong_size);
  EXPECT_EQ(error_after([&](arguments& a) { a.tensors[1][0].shape = &shorter; }), wrong_size);
  EXPECT_EQ(error_after([](arguments& a) { a.tensors[1][2].dtype.bits = 64; }), wrong_dtype);
  EXPECT_EQ(error_after([](arguments& a) { a.tensors[1][2].dtype.code = kDLInt; }), wrong_dtype);
  EXPECT_EQ(error_after([](arguments& a) { a.tensors[4][0].device.device_type = kDLCUDA; }),
            wrong_device);
  EXPECT_EQ(error_after([&](arguments& a) { a.tensors[3][0].strides = &strides; }), not_contiguous);
  EXPECT_EQ(error_after([](arguments& a) { a.tensors[3][0].byte_offset = 4; }), not_contiguous);
  EXPECT_EQ(error_after([](arguments& a) { a.tensors[3][0].data = nullptr; }), no_data);
}

TEST(TensorTable, AWorkspaceThatIsTooSmallIsRefused) {
  adamw_lists lists({10}, seed_t{5});
  auto arguments = lists.make_arguments();
  arguments.step.lists = arguments.lists.data();
  arguments.step.num_lists = adamw_lists::num_roles;
  void* plan = nullptr;
  EXPECT_EQ(adamw.prepare(&arguments.step, &plan), workspace_too_small);
}

TEST(TensorTable, EveryErrorHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (int code = ok; code <= out_of_memory; ++code) {
    const std::string text = adamw.error(code);
    EXPECT_TRUE(text.ends_with('.'));
    sentences.insert(text);
  }
  sentences.insert(adamw.error(launch_failed + 1));
  sentences.insert(adamw.error(-1));
  EXPECT_EQ(sentences.size(), out_of_memory + 3u);
}

}  // namespace
}  // namespace driftgate::kernels::host
