#include "gate/records/record_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "gate/records/record.hpp"

namespace driftgate::gate {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

class RecordFile : public testing::Test {
 protected:
  ~RecordFile() override { fs::remove_all(folder_); }

  std::vector<json> lines() const {
    std::vector<json> all;
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) all.push_back(json::parse(line));
    return all;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("driftgate_r" + std::to_string(getpid()));
  fs::path path_ = folder_ / "deep" / "records.jsonl";
};

TEST_F(RecordFile, ANewRunStartsTheFileAnew) {
  { record_file(path_).write({{"run", 1}}); }
  { record_file(path_).write({{"run", 2}}); }

  EXPECT_EQ(lines(), std::vector<json>{(json{{"run", 2}})});
}

TEST_F(RecordFile, RunsAtTheSameTimeKeepEachOthersLinesWhole) {
  constexpr int each = 200;
  const auto write = [&](record_file& file, int run) {
    for (int i = 0; i < each; ++i) file.write({{"run", run}, {"text", std::string(3000, 'x')}});
  };
  record_file first(path_);
  first.write({{"run", 1}});
  record_file second(path_);
  std::thread other([&] { write(second, 2); });
  write(first, 1);
  other.join();

  int of_first = 0;
  for (const json& line : lines()) of_first += line.at("run") == 1;
  EXPECT_EQ(lines().size(), 2u * each + 1);
  EXPECT_EQ(of_first, each + 1);
}

TEST_F(RecordFile, ARunThatBeginsBesideAnotherIsNotStartedAnewByAThird) {
  { record_file(path_).write({{"run", 0}}); }
  // Another run, between its look at the file and its first line.
  const host::file_descriptor beginning(open(path_.c_str(), O_RDWR), "open");
  struct flock alone {};
  alone.l_type = F_WRLCK;
  alone.l_whence = SEEK_SET;
  alone.l_len = 1;
  ASSERT_EQ(fcntl(beginning.get(), F_OFD_SETLK, &alone), 0);
  std::optional<record_file> second;
  std::thread other([&] { second.emplace(path_); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  alone.l_type = F_UNLCK;
  fcntl(beginning.get(), F_OFD_SETLK, &alone);
  other.join();
  second->write({{"run", 2}});

  record_file(path_).write({{"run", 3}});

  EXPECT_EQ(lines().size(), 3u);
}

TEST_F(RecordFile, WhatCannotBeWrittenIsASentenceWithTheFilesName) {
  try {
    record_file("/dev/full").write({{"run", 1}});
    FAIL();
  } catch (const std::system_error& e) {
    EXPECT_EQ(std::string(e.what()), "cannot write the records /dev/full: No space left on device");
  }
  EXPECT_THROW(record_file("/proc/none/records.jsonl"), std::system_error);
}

TEST(ReplayCommand, IsQuotedWhereAShellNeedsIt) {
  EXPECT_EQ(replay_command("out/failures/a.b.json"), "./driftgate replay out/failures/a.b.json");
  EXPECT_EQ(replay_command("my out/it's.json"), "./driftgate replay 'my out/it'\\''s.json'");
}

}  // namespace
}  // namespace driftgate::gate
