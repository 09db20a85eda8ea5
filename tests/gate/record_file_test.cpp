#include "gate/records/record_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
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
