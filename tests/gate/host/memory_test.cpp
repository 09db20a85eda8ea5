// What a kernel does outside its tensors is seen, wherever these lie.
#include <gtest/gtest.h>

#include "tests/gate/host/host_fixture.hpp"

namespace driftgate::gate::host {
namespace {

using properties::outcome;
using properties::run_status;
using properties::stray_write;

// One outcome for each of the host's ways to place tensors.
std::vector<outcome> all_placements(const std::string& kernel, const properties::job& job) {
  const auto subject = open_plugin("writes", kernel);
  std::vector<outcome> outcomes;
  for (int run = 0; run < 4; ++run) outcomes.push_back(run_one(*subject, job));
  return outcomes;
}

void expect_stray_write(const std::string& kernel, const stray_write& expected) {
  properties::job misaligned = descent({5, 7});
  misaligned.misalignment = {4, 12};
  for (const properties::job& job : {descent({5, 7}), misaligned}) {
    for (const outcome& outcome : all_placements(kernel, job)) {
      ASSERT_GE(outcome.stray_writes.size(), 1u) << kernel << " " << outcome.detail;
      EXPECT_EQ(outcome.stray_writes[0].role, expected.role);
      EXPECT_EQ(outcome.stray_writes[0].tensor, expected.tensor);
      EXPECT_EQ(outcome.stray_writes[0].offset, expected.offset);
    }
  }
}

TEST(Memory, AWritePastTheEndIsSeenInEveryPlacement) {
  expect_stray_write("past_the_end", {"param", 0, 5 * 4});
}

TEST(Memory, AWriteBeforeTheStartIsSeenInEveryPlacement) {
  expect_stray_write("before_the_start", {"param", 0, -4});
}

TEST(Memory, AWriteInTheGapBetweenTensorsIsSeenInEveryPlacement) {
  expect_stray_write("in_the_gap", {"grad", 1, (7 + 20) * 4});
}

TEST(Memory, AWritePastTheWorkspaceIsSeenInEveryPlacement) {
  expect_stray_write("past_the_workspace", {"workspace", 0, 4});
}

TEST(Memory, AWriteWhileTheWorkspaceIsMeasuredIsSeenInEveryPlacement) {
  expect_stray_write("measures_past_the_end", {"param", 0, 5 * 4});
  expect_stray_write("measures_into_a_tensor", {"param", 1, 2 * 4 + 2});
}

TEST(Memory, AWriteToATensorAfterTheLastStepIsSeenInEveryPlacement) {
  expect_stray_write("writes_at_release", {"param", 0, 4});
  properties::job resumed = descent({5}, 2);
  resumed.resume_after = 1;
  for (const outcome& outcome : all_placements("writes_at_release", resumed)) {
    EXPECT_EQ(outcome.stray_writes.size(), 2u);
  }
}

TEST(Memory, AWriteAtAForbiddenPageIsACrashThatNamesTheTensor) {
  const auto outcomes = all_placements("past_the_end", descent({5, 7}));

  EXPECT_EQ(outcomes[0].status, run_status::completed);
  EXPECT_EQ(outcomes[1].status, run_status::crashed);
  EXPECT_EQ(outcomes[1].detail,
            "signal 11 (Segmentation fault) in step of call 1: it wrote byte 20 of param[0], "
            "which has 20 bytes");
}

TEST(Memory, AReadPastTheEndIsACrashInOnePlacement) {
  const auto outcomes = all_placements("reads_past_the_end", descent({5, 7}));

  EXPECT_EQ(outcomes[0].status, run_status::completed);
  EXPECT_EQ(outcomes[1].status, run_status::crashed);
  EXPECT_EQ(outcomes[1].detail,
            "signal 11 (Segmentation fault) in step of call 1: it read byte 20 of grad[0], which "
            "has 20 bytes");
  EXPECT_TRUE(outcomes[1].stray_writes.empty());
}

TEST(Memory, AWriteThroughAPointerOfAnEarlierPlanIsSeen) {
  properties::job resumed = descent({5}, 2);
  resumed.resume_after = 1;
  for (const outcome& outcome : all_placements("stale", resumed)) {
    EXPECT_FALSE(outcome.stray_writes.empty() && outcome.status == run_status::completed);
  }
}

TEST(Memory, ARightKernelWritesNothingStray) {
  const auto kernel = open_plugin("good", "descends");
  for (int run = 0; run < 8; ++run) {
    const outcome outcome = run_one(*kernel, descent({5, 0, 0, 7}, 2));
    EXPECT_EQ(outcome.status, run_status::completed) << outcome.detail;
    EXPECT_TRUE(outcome.stray_writes.empty());
    EXPECT_TRUE(outcome.floating_point_environment_kept);
  }
}

TEST(Memory, AKernelThatDoesNothingLeavesEveryBit) {
  const auto job = descent({5, 7});
  for (const outcome& outcome : all_placements("nothing", job)) {
    EXPECT_EQ(outcome.status, run_status::completed);
    EXPECT_EQ(outcome.roles, job.roles);
  }
}

TEST(Memory, AChangedRoundingModeIsReportedAndUndone) {
  const auto kernel = open_plugin("writes", "rounds_down");
  const auto outcome = run_one(*kernel, descent({1}, 2));

  EXPECT_EQ(outcome.status, run_status::completed);
  EXPECT_FALSE(outcome.floating_point_environment_kept);
}

TEST(Memory, MoreWorkspaceThanTheMachineHasIsTheKernelsError) {
  for (const outcome& outcome : all_placements("endless_workspace", descent({1}))) {
    EXPECT_EQ(outcome.status, run_status::error_code);
    EXPECT_TRUE(outcome.detail.starts_with(
        "workspace_bytes asked for 18446744073709551615 bytes, of which"))
        << outcome.detail;
  }
}

}  // namespace
}  // namespace driftgate::gate::host
