#include "gate/records/failure_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace driftgate::gate {
namespace {

namespace fs = std::filesystem;

class FailureFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = fs::temp_directory_path() /
            ("driftgate_" + std::string(test->name()) + std::to_string(getpid()) + ".json");
  }
  void TearDown() override { fs::remove(path_); }

  static replayable sample() {
    replayable r{"k", "cuda", "/p.so", "adamw", "splitting", {}};
    r.spec.seed = ~std::uint64_t{0};
    r.spec.draw = properties::distribution::cancelling;
    r.spec.sizes = {3, 0, 1};
    r.spec.first = 17;
    r.spec.step = 16'777'217;
    r.spec.scalars = {{"lr", 0.1}, {"beta1", 1 - 0x1p-14}, {"eps", 0x1p-60}};
    return r;
  }

  // The file with one field replaced by other text.
  void write_spoiled(const std::string& from, const std::string& to) {
    write_failure(path_, sample(), nlohmann::json::object());
    std::ifstream in(path_);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(path_) << text.replace(at, from.size(), to);
  }

  fs::path path_;
};

TEST_F(FailureFile, ReadsBackToTheSameCase) {
  write_failure(path_, sample(), nlohmann::json::object());

  const replayable read = read_failure(path_);

  EXPECT_EQ(read.spec, sample().spec);
  EXPECT_EQ(read.kernel, "k");
  EXPECT_EQ(read.device, "cuda");
  EXPECT_EQ(read.plugin, "/p.so");
  EXPECT_EQ(read.law, "splitting");
}

TEST_F(FailureFile, NonsenseIsRefusedWithASentence) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"driftgate.failure/1", "driftgate.failure/9"},
           {"\"cancelling\"", "\"unheard of\""},
           {"\"sizes\": [\n      3,", "\"sizes\": [\n      -3,"},
           {"\"sizes\": [\n      3,", "\"sizes\": [\n      99999999999999,"},
           {"\"sizes\": [\n      3,", "\"sizes\": [\n      1.5,"},
           {"\"sizes\": [", "\"sizes\": 3, \"sizas\": ["},
           {"\"step\": 16777217", "\"step\": 0"},
           {"\"step\": 16777217", "\"step\": 1.5"},
           {"\"step\": 16777217", "\"step\": 9223372036854775808"},
           {"\"first\": 17", "\"first\": -17"},
           {"\"lr\": 0.1", "\"lr\": null"},
           {"\"lr\": 0.1", "\"lr\": \"0.1\""},
           {"\"law\"", "\"lew\""},
           {"\"seed\": 18446744073709551615", "\"seed\": \"x\""},
           {"}", ""}}) {
    write_spoiled(from, to);
    EXPECT_THROW(read_failure(path_), unreadable_failure) << to;
  }
  EXPECT_THROW(read_failure("/nowhere"), unreadable_failure);
  EXPECT_THROW(read_failure("/"), unreadable_failure);
}

TEST_F(FailureFile, WhereOnlyAFewValuesAreAllowedTheyAreListed) {
  properties::failing_case failure;
  failure.spec = sample().spec;
  failure.what.judged = {"1", "any of {-inf, nan}", "only these", 1, false, rules::tier::special};

  const auto values = describe_failure(failure, {}, "");
  failure.what.judged = {"1", "1.5", "0.25", 2, false, rules::tier::f64};
  const auto budget = describe_failure(failure, {}, "");

  EXPECT_EQ(values["allowed_values"], (nlohmann::json{"-inf", "nan"}));
  EXPECT_EQ(values["exact"], "");
  EXPECT_EQ(values["allowed"], "");
  EXPECT_EQ(budget["allowed_values"], nlohmann::json::array());
  EXPECT_EQ(budget["allowed"], "0.25");
}

TEST_F(FailureFile, ANarrowOutputHasItsOwnBitsAndTheRangeThatPasses) {
  properties::failing_case failure;
  failure.spec = sample().spec;
  failure.spec.sizes = {1};
  failure.what.output = "param";
  failure.what.element = 0;
  failure.what.got = 1.0078125F;
  failure.what.judged = {"1.0078125", "1", "0.001", 7, false, rules::tier::f64, "1", "1"};
  rules::description rule;
  rule.roles.emplace_back().name = "param";

  const auto in_f32 = describe_failure(failure, rule, "");
  rule.roles[0].format = formats::format_id::bf16;
  const auto in_bf16 = describe_failure(failure, rule, "");

  EXPECT_EQ(in_f32["got_bits"], "0x3f810000");
  EXPECT_EQ(in_bf16["got_bits"], "0x3f81");
  EXPECT_EQ(in_bf16["got"], "1.0078125");
  EXPECT_EQ(in_bf16["format"], "bf16");
  EXPECT_EQ(in_bf16["allowed_range"], (nlohmann::json{"1", "1"}));
  EXPECT_EQ(in_bf16["inputs"]["param"]["bits"].get<std::string>().size(), 6u);
}

TEST_F(FailureFile, NothingIsLeftBesideIt) {
  const fs::path folder = path_.string() + ".d";
  write_failure(folder / "a.json", sample(), nlohmann::json::object());
  write_failure(folder / "a.json", sample(), nlohmann::json::object());

  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  fs::remove_all(folder);
}

TEST_F(FailureFile, AFolderThatCannotBeWrittenIsReported) {
  EXPECT_THROW(write_failure("/proc/none/x.json", sample(), nlohmann::json::object()),
               std::system_error);
}

}  // namespace
}  // namespace driftgate::gate
