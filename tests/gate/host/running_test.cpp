// What a right kernel is given, and what comes back.
#include <gtest/gtest.h>

#include "tests/gate/host/host_fixture.hpp"

namespace driftgate::gate::host {
namespace {

using properties::job;
using properties::outcome;
using properties::run_status;

TEST(Running, AKernelsResultsComeBackInTheJobsOrder) {
  const auto kernel = open_plugin("good", "descends");

  const outcome outcome = run_one(*kernel, descent({2, 0, 3}, 4));

  EXPECT_EQ(outcome.status, run_status::completed) << outcome.detail;
  ASSERT_EQ(outcome.roles.size(), 2u);
  EXPECT_EQ(outcome.roles[0].role, "param");
  EXPECT_EQ(params(outcome), std::vector<float>(5, 6));
}

TEST(Running, TheProgramsOwnKernelsRunTheSameWay) {
  const auto kernel = open({}, "own");
  EXPECT_EQ(params(run_one(*kernel, descent({2}))), std::vector<float>(2, 9));
}

TEST(Running, NoiseOnStdoutAndStderrChangesNothing) {
  const auto kernel = open_plugin("good", "noisy");
  for (int run = 0; run < 5; ++run) {
    const outcome outcome = run_one(*kernel, descent({2}, 3));
    EXPECT_EQ(outcome.status, run_status::completed) << outcome.detail;
    EXPECT_EQ(params(outcome), std::vector<float>(2, 7));
  }
}

TEST(Running, EveryStepHasItsOwnScalarsAndGradient) {
  const auto kernel = open_plugin("good", "descends");
  job job = descent({2}, 3);
  job.steps[1] = step_with(0.5, 2);
  job.steps[1].renewed = {{"grad", bytes_of(std::vector<float>{2, 4})}};

  // 10 - 1 * (1, 1) - 0.5 * (2, 4) - 1 * (2, 4)
  EXPECT_EQ(params(run_one(*kernel, job)), (std::vector<float>{6, 3}));
}

TEST(Running, TheArgumentsAreWhatTheJobSays) {
  const auto kernel = open_plugin("good", "tells_arguments");
  job job;
  job.sizes = {8, 0, 0};
  job.roles = {{"exp_avg", bytes_of(std::vector<double>(8))},
               {"param", bytes_of(std::vector<double>(8))}};
  job.misalignment = {0, 24};
  job.steps = {{1, {{"lr", 0.1}, {"weight_decay", 0.0}}, 77, {}}};
  for (int run = 0; run < 4; ++run) {
    const outcome outcome = run_one(*kernel, job);
    // Lists in order, seed, lr, scalars in order, the tensor's fields, an odd and an even empty
    // tensor's null pointer, misalignment.
    EXPECT_EQ(values_of<double>(outcome.roles.at(1)),
              (std::vector<double>{1, 77, 0.1, 1, 1, 1, 0, 24}));
  }
}

TEST(Running, SeveralPlansLiveAtOnce) {
  const auto kernel = open_plugin("good", "counts");
  const std::vector<job> jobs{descent({1}, 3), descent({2}, 1), descent({1}, 2)};

  for (int run = 0; run < 4; ++run) {
    const auto outcomes = kernel->run(jobs);

    ASSERT_EQ(outcomes.size(), 3u);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_EQ(outcomes[i].status, run_status::completed) << outcomes[i].detail;
      EXPECT_EQ(params(outcomes[i])[0], static_cast<float>(jobs[i].steps.size()));
    }
  }
}

class Resume : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Resume, MovesTheTensorsAndWithAnOddSeedTheProcess) {
  const auto kernel = open_plugin("good", "tells_addresses");
  job job;
  job.sizes = {2};
  job.roles = {{"param", bytes_of(std::vector<double>(2))},
               {"exp_avg", bytes_of(std::vector<double>(2))}};
  job.steps = {{1, {}, GetParam(), {}}, {2, {}, 0, {}}};
  job.resume_after = 1;
  for (int run = 0; run < 4; ++run) {
    const outcome outcome = run_one(*kernel, job);

    ASSERT_EQ(outcome.status, run_status::completed) << outcome.detail;
    const auto addresses = values_of<double>(outcome.roles.at(0));
    const auto processes = values_of<double>(outcome.roles.at(1));
    EXPECT_NE(addresses[0], 0);
    EXPECT_NE(addresses[0], addresses[1]);
    EXPECT_EQ(processes[0] != processes[1], GetParam() % 2 == 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Resume, testing::Values(2, 3));

TEST(Running, AResumedRunGivesTheSameResults) {
  const auto kernel = open_plugin("good", "descends");
  std::vector<job> jobs{descent({2, 3}, 4), descent({1}, 4)};
  for (const std::size_t resume_after : {1, 2, 4}) {
    jobs[1].resume_after = resume_after;
    const auto outcomes = kernel->run(jobs);
    EXPECT_EQ(params(outcomes[0]), std::vector<float>(5, 6));
    EXPECT_EQ(params(outcomes[1]), std::vector<float>(1, 6));
  }
}

TEST(Running, TheProcessLivesUntilItIsRestarted) {
  const auto kernel = open_plugin("good", "tells_addresses");
  job job;
  job.sizes = {1};
  job.roles = {{"param", bytes_of(std::vector<double>(1))},
               {"exp_avg", bytes_of(std::vector<double>(1))}};
  job.steps = {{1, {}, 0, {}}};
  const auto process = [&] { return values_of<double>(run_one(*kernel, job).roles.at(1)); };

  const auto first = process();
  EXPECT_EQ(process(), first);
  kernel->restart();
  EXPECT_NE(process(), first);
}

TEST(Running, TenThousandTensorsAndABigOneFit) {
  const auto kernel = open_plugin("good", "descends");
  std::vector<std::int64_t> many(10'000, 3);
  many[5'000] = 0;

  EXPECT_EQ(params(run_one(*kernel, descent(many))), std::vector<float>(29'997, 9));
  EXPECT_EQ(params(run_one(*kernel, descent({5'000'000}))), std::vector<float>(5'000'000, 9));
}

TEST(Running, NoJobsStepsOrTensorsAreNoError) {
  const auto kernel = open_plugin("good", "descends");
  EXPECT_TRUE(kernel->run({}).empty());
  EXPECT_EQ(run_one(*kernel, descent({}, 2)).status, run_status::completed);
  EXPECT_EQ(params(run_one(*kernel, descent({2}, 0))), std::vector<float>(2, 10));
}

TEST(Running, AJobThatContradictsTheContractIsRefused) {
  const auto kernel = open_plugin("good", "descends");
  job wrong_size = descent({2});
  wrong_size.roles[0].bytes.pop_back();
  job misaligned = descent({2});
  misaligned.misalignment = {2, 0};
  for (const job& bad : {wrong_size, misaligned}) {
    EXPECT_THROW(run_one(*kernel, bad), std::invalid_argument);
  }
}

}  // namespace
}  // namespace driftgate::gate::host
