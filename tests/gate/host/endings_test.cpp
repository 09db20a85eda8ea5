// However a kernel ends, the gate goes on and says how it was.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/gate/host/host_fixture.hpp"

namespace driftgate::gate::host {
namespace {

using properties::outcome;
using properties::run_status;

outcome end_of(const std::string& kernel, int steps = 1, const options& how = {}) {
  const auto subject = open(plugin_source("endings"), kernel, how);
  return run_one(*subject, descent({3}, steps));
}

void expect_crash(const std::string& kernel, const std::string& detail, int steps = 1) {
  const outcome end = end_of(kernel, steps);
  EXPECT_EQ(end.status, run_status::crashed) << kernel;
  EXPECT_EQ(end.detail, detail) << kernel;
}

TEST(Endings, ACrashNamesTheSignalTheCallAndTheAddress) {
  expect_crash("crashes",
               "signal 11 (Segmentation fault) in step of call 3: it wrote at address 0x10", 5);
}

TEST(Endings, AnAbortBringsTheEndOfStderrAlong) {
  expect_crash("aborts",
               "signal 6 (Aborted) in step of call 1; its stderr ends with "
               "\"free(): invalid pointer ?\"");
}

TEST(Endings, AnExceptionIsACrash) {
  expect_crash("throws", "an exception (no such luck) left the kernel in step of call 1");
  expect_crash("throws_a_number", "an exception left the kernel in step of call 1");
}

TEST(Endings, AnEarlyExitIsACrashEvenWithStatusZero) {
  expect_crash("exits", "exited with status 0 in the middle of step of call 1");
  expect_crash("leaves", "exited with status 0 in the middle of step of call 1");
  expect_crash("prepare_exits", "exited with status 3 in the middle of prepare");
}

TEST(Endings, AnExhaustedStackIsACrash) {
  const outcome end = end_of("overflows");
  EXPECT_EQ(end.status, run_status::crashed);
  EXPECT_EQ(end.detail.find("signal 11 (Segmentation fault) in step of call 1: it wrote"), 0u)
      << end.detail;
}

TEST(Endings, ACrashWhileReleasingIsACrash) {
  expect_crash("release_aborts", "signal 6 (Aborted) in release");
}

TEST(Endings, AHangTimesOut) {
  options how;
  how.timeout = std::chrono::milliseconds(500);
  for (const char* kernel : {"hangs", "stops", "floods"}) {
    const outcome end = end_of(kernel, 1, how);
    EXPECT_EQ(end.status, run_status::timed_out) << kernel;
    EXPECT_EQ(end.detail.find("no answer within 0.5 s from step of call 1"), 0u) << end.detail;
  }
}

TEST(Endings, AKernelThatClosesTheSocketIsNamed) {
  expect_crash("closes_all", "closed the gate's socket in step of call 1");
}

TEST(Endings, NoiseOnTheSocketIsNoAnswer) {
  expect_crash("writes_everywhere", "wrote to the gate's socket in step of call 1");
}

TEST(Endings, ASecondProcessThatAnswersIsCaught) {
  const outcome end = end_of("forks", 10);
  EXPECT_EQ(end.status, run_status::crashed);
}

TEST(Endings, AProcessThatAKernelLeavesBehindHoldsNobodyUp) {
  using std::chrono::steady_clock;
  const auto start = steady_clock::now();

  const outcome end = end_of("leaves_noise");

  EXPECT_EQ(end.status, run_status::crashed);
  EXPECT_EQ(end.detail.find("signal 6 (Aborted) in step of call 1; its stderr ends with"), 0u)
      << end.detail;
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Endings, AnErrorCodeComesWithTheKernelsSentence) {
  const outcome end = end_of("returns_7");
  EXPECT_EQ(end.status, run_status::error_code);
  EXPECT_EQ(end.detail, "step of call 1 returned 7: the seven is taken");
}

TEST(Endings, AnErrorCodeOfPrepareEndsTheJob) {
  const outcome end = end_of("prepare_8");
  EXPECT_EQ(end.status, run_status::error_code);
  EXPECT_EQ(end.detail, "prepare returned 8");
  EXPECT_EQ(params(end), std::vector<float>(3, 10));
}

TEST(Endings, TheRunAfterACrashStartsAfresh) {
  const auto kernel = open_plugin("endings", "crashes");
  const properties::job crash = descent({3}, 3);

  EXPECT_EQ(run_one(*kernel, crash).status, run_status::crashed);
  EXPECT_EQ(run_one(*kernel, descent({3}, 2)).status, run_status::completed);
  EXPECT_EQ(run_one(*kernel, crash).status, run_status::crashed);
}

TEST(Endings, ACrashIsTheVerdictOfEveryJobOfTheRun) {
  const auto kernel = open_plugin("endings", "crashes");
  const std::vector<properties::job> jobs{descent({3}, 2), descent({3}, 3)};

  for (const outcome& end : kernel->run(jobs)) {
    EXPECT_EQ(end.status, run_status::crashed);
    EXPECT_NE(end.detail.find("in step of call 3 of plan 2"), std::string::npos) << end.detail;
  }
}

}  // namespace
}  // namespace driftgate::gate::host
