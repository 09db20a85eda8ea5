// What the gate or its child lacks is the suite's trouble and never a verdict on a kernel.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <stdexcept>
#include <system_error>

#include "tests/gate/host/host_fixture.hpp"

namespace driftgate::gate::host {
namespace {

// A limit of this process, which its children inherit, until the end of the scope.
class limit {
 public:
  limit(__rlimit_resource_t of, rlim_t soft) : of_(of) {
    getrlimit(of, &before_);
    const rlimit now{soft, before_.rlim_max};
    setrlimit(of, &now);
  }
  ~limit() { setrlimit(of_, &before_); }
  limit(const limit&) = delete;
  limit& operator=(const limit&) = delete;

 private:
  __rlimit_resource_t of_;
  rlimit before_{};
};

// What is said of the suite's own failure; fails if it passes for the plugin's.
std::string trouble(const options& how) {
  try {
    describe(plugin_source("good"), how);
  } catch (const unusable_plugin& e) {
    ADD_FAILURE() << "blames the plugin: " << e.what();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(Lacking, AProgramThatIsNotThereIsTheSuitesFailure) {
  options how;
  how.program = "/no/such/program";
  EXPECT_EQ(trouble(how), "starting /no/such/program: No such file or directory");
}

TEST(Lacking, AProcessThatEndsBeforeItAnswersIsTheSuitesFailure) {
  options how;
  how.program = "/bin/false";
  EXPECT_EQ(
      trouble(how),
      "the process that runs kernels cannot be started: exited with status 1 in the middle of "
      "its start");
}

TEST(Lacking, DescriptorsAreTheSuitesFailure) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer looks at objects through a pipe, for which there is no descriptor";
#endif
  const limit few(RLIMIT_NOFILE, 8);
  EXPECT_NE(trouble({}).find("Too many open files"), std::string::npos);
}

TEST(Lacking, MemoryForTheTensorsIsTheSuitesFailure) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer cannot do without address space itself";
#endif
  const auto kernel = open_plugin("good", "tells_addresses");
  properties::job job;
  job.sizes = {2};
  job.roles = {{"param", bytes_of(std::vector<double>(2))},
               {"exp_avg", bytes_of(std::vector<double>(2))}};
  job.steps = {{1, {}, 0, {}}};
  const auto child = static_cast<pid_t>(values_of<double>(run_one(*kernel, job).roles.at(1))[0]);
  const rlimit none{1 << 20, 1 << 20};
  ASSERT_EQ(prlimit(child, RLIMIT_AS, &none, nullptr), 0);

  job.sizes = {1 << 20};
  for (auto& role : job.roles) role.bytes = bytes_of(std::vector<double>(1 << 20));
  try {
    run_one(*kernel, job);
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(std::string(e.what()),
              "the process that runs kernels cannot go on: mmap of the tensors' memory: Cannot "
              "allocate memory");
  }
}

TEST(Lacking, APluginThatIsReplacedInTheMiddleIsNoCrash) {
  namespace fs = std::filesystem;
  const fs::path copy =
      fs::path(testing::TempDir()) / ("driftgate_l" + std::to_string(getpid()) + ".so");
  fs::copy_file(plugin_source("good").plugin, copy);
  const auto kernel = open({copy}, "descends");
  EXPECT_EQ(run_one(*kernel, descent({1})).status, properties::run_status::completed);

  fs::remove(copy);
  kernel->restart();

  EXPECT_THROW(run_one(*kernel, descent({1})), std::runtime_error);
}

TEST(Lacking, ALostWaitStatusIsNoExitWithStatusZero) {
  const auto kernel = open_plugin("endings", "aborts");
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  try {
    const auto outcome = run_one(*kernel, descent({3}));
    ADD_FAILURE() << outcome.detail;
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(std::string(e.what()).find("how the process that runs kernels ended is lost"), 0u);
  }
  std::signal(SIGCHLD, before);
}

TEST(Lacking, WhoeverWaitsForAKernelCanGiveUp) {
  options how;
  bool enough = false;
  how.while_waiting = [&] {
    if (enough) throw std::domain_error("enough");
  };
  const auto kernel = open(plugin_source("endings"), "hangs", how);
  enough = true;

  EXPECT_THROW(run_one(*kernel, descent({3})), std::domain_error);
}

}  // namespace
}  // namespace driftgate::gate::host
