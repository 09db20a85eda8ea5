// What results come to: one predicate for the exit code, the records and the document.
#include <gtest/gtest.h>

#include "gate/campaign.hpp"
#include "gate/records/check_document.hpp"

namespace driftgate::gate {
namespace {

using properties::verdict;

result with(const std::string& law, verdict v, const std::string& detail = "") {
  result r;
  r.kernel.name = "toy";
  r.kernel.device = "cpu";
  r.law = law;
  r.report.result = v;
  r.report.detail = detail;
  return r;
}

// The document's word for a kernel with these results.
std::string word_for(const std::vector<result>& results) {
  check_document document("toy.so");
  document.add_kernel(results.front().kernel, "");
  for (const result& r : results) document.add_record(result_record("run", r, {}));
  return document.finished(exit_code_of(results), "").at("kernels").at(0).at("verdict");
}

TEST(Results, EveryVerdictIsAFailureOrNotThroughout) {
  for (const std::string_view word : properties::verdict_names) {
    const verdict v = *properties::find_verdict(word);
    const std::vector<result> results{with("other", verdict::verified), with("law", v)};
    const nlohmann::json end = end_record("run", exit_code_of(results), 0, results, "");

    EXPECT_EQ(exit_code_of(results) == divergence, properties::is_failure(v)) << word;
    EXPECT_EQ(end.at("failed") == 1, properties::is_failure(v)) << word;
    EXPECT_EQ(end.at("verified").get<int>() + end.at("failed").get<int>() +
                  end.at("ill_posed").get<int>() + end.at("skipped").get<int>(),
              2)
        << word;
    EXPECT_EQ(word_for(results), v == verdict::skipped ? "verified" : word);
  }
}

TEST(Results, ALawThatIsIllPosedIsNamedWhereOthersWereVerified) {
  const std::vector<result> results{with("first", verdict::verified),
                                    with("second", verdict::skipped, "bits=none"),
                                    with("third", verdict::ill_posed, "3 of 9 outputs")};

  EXPECT_EQ(exit_code_of(results), nothing_verified);
  EXPECT_EQ(why_not_verified(results), "toy: third is not verified: 3 of 9 outputs");
}

TEST(Results, WhereAllIsSkippedTheFirstReasonCounts) {
  const std::vector<result> results{with("first", verdict::skipped, "no device"),
                                    with("second", verdict::skipped, "no time")};

  EXPECT_EQ(exit_code_of(results), nothing_verified);
  EXPECT_EQ(why_not_verified(results), "nothing was verified: toy: no device");
  EXPECT_EQ(why_not_verified({}), "nothing was verified");
}

}  // namespace
}  // namespace driftgate::gate
