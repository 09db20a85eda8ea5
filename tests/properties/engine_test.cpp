#include "properties/laws/engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <new>

#include "properties/laws/stage.hpp"

namespace driftgate::properties {
namespace {

// AdamW in this process, one stage of which a test can spoil.
class toy_kernel : public subject {
 public:
  using spoiler = void (*)(std::size_t index, float& p, float& m, float& v);

  explicit toy_kernel(spoiler spoil = nullptr) : spoil_(spoil) {
    contract_.name = "toy";
    contract_.rule = "adamw";
  }

  const contract& promised() const override { return contract_; }
  void restart() override {}

  std::vector<outcome> run(std::span<const job> jobs) override {
    std::vector<outcome> outcomes;
    for (const job& j : jobs) {
      outcome o;
      o.status = status;
      o.floating_point_environment_kept = keeps_environment;
      if (writes_astray) o.stray_writes.push_back({"exp_avg", 0, 400});
      o.roles = j.roles;
      for (const step_arguments& s : j.steps) {
        step(s, o);
        if (j.keep_every_step) o.after_each_step.push_back(o.roles);
      }
      outcomes.push_back(o);
    }
    return outcomes;
  }

  contract& promises() { return contract_; }

  run_status status = run_status::completed;
  bool keeps_environment = true;
  bool writes_astray = false;
  bool writes_gradient = false;
  bool decays = true;
  float times_update = 1;

 private:
  void step(const step_arguments& s, outcome& o) {
    std::map<std::string, std::vector<float>> x;
    const rules::description& about = rules::find_rule("adamw")->about();
    for (const role_data& r : o.roles) x[r.role] = floats(o, *about.find_role(r.role));
    std::map<std::string, double> h(s.scalars.begin(), s.scalars.end());
    for (const role_data& renewed : s.renewed) {
      x[renewed.role] = decode(about.find_role(renewed.role)->format, renewed.bytes);
    }
    const double t = static_cast<double>(s.step);
    const auto b1 = static_cast<float>(h["beta1"]), c1 = static_cast<float>(1 - h["beta1"]);
    const auto b2 = static_cast<float>(h["beta2"]), c2 = static_cast<float>(1 - h["beta2"]);
    const auto rate = static_cast<float>(h["lr"] / (1 - std::pow(h["beta1"], t)));
    const auto root = static_cast<float>(std::sqrt(1 - std::pow(h["beta2"], t)));
    const auto keep = static_cast<float>(decays ? 1 - h["lr"] * h["weight_decay"] : 1);
    const auto eps = static_cast<float>(h["eps"]);
    for (std::size_t i = 0; i < x["param"].size(); ++i) {
      float& p = x["param"][i];
      float& m = x["exp_avg"][i];
      float& v = x["exp_avg_sq"][i];
      const float g = x["grad"][i];
      m = b1 * m + c1 * g;
      v = b2 * v + c2 * g * g;
      p = keep * p - times_update * (rate * (m / (std::sqrt(v) / root + eps)));
      if (spoil_) spoil_(i, p, m, v);
    }
    if (writes_gradient) x["grad"].assign(x["grad"].size(), 1);
    for (role_data& r : o.roles) r = make_role(*about.find_role(r.role), x[r.role]);
  }

  contract contract_;
  spoiler spoil_;
};

// Those that say something of a kernel on the host.
std::vector<law> laws_of_hosts() {
  std::vector<law> laws = all_laws();
  std::erase_if(laws, [](const law& l) { return l.device_only; });
  return laws;
}

law_report report_of(subject& kernel, const std::string& law_name, std::uint64_t seed = 1) {
  campaign_settings settings;
  settings.seed = seed;
  rules::audit auditor;
  return run_law(*find_law(law_name), kernel, *rules::find_rule("adamw"), settings, auditor);
}

TEST(Engine, ARightKernelIsVerified) {
  toy_kernel right;

  const law_report report = report_of(right, "matches_oracle");

  EXPECT_EQ(report.result, verdict::verified) << report.detail;
  EXPECT_EQ(report.cases, 400u);
  EXPECT_GT(report.outputs_judged, 1'000'000u);
  EXPECT_GT(report.tally[0].audited, 0u);
}

TEST(Engine, ALaterStepOfARunIsJudgedFromItsOwnState) {
  toy_kernel right;
  EXPECT_EQ(report_of(right, "many_steps").result, verdict::verified);

  // Wrong in its 20th step and every later one; a plan's first steps are right.
  static int steps;
  steps = 0;
  toy_kernel wrong([](std::size_t i, float&, float& m, float&) {
    if (i == 0 && ++steps % 24 >= 20) m += 1;
  });
  const law_report report = report_of(wrong, "many_steps");
  EXPECT_EQ(report.result, verdict::diverged);
  EXPECT_NE(report.detail.find(" of one plan, "), std::string::npos) << report.detail;
}

TEST(Engine, AFailureShrinksToOneElementAndTheUsualHyperparameters) {
  toy_kernel wrong([](std::size_t, float&, float&, float& v) { v = std::nextafter(v, 1e30F) * 2; });

  const law_report report = report_of(wrong, "matches_oracle");

  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.result, verdict::diverged);
  EXPECT_EQ(report.failure->spec.sizes, std::vector<std::int64_t>{1});
  EXPECT_EQ(report.failure->spec.scalars.at("beta2"), 0.999);
  EXPECT_EQ(report.failure->what.output, "exp_avg_sq");
}

TEST(Engine, AFaultThatNeedsAPositionKeepsTheSmallestListThatHasIt) {
  toy_kernel wrong([](std::size_t i, float&, float& m, float&) { m += i == 100 ? 1.0F : 0.0F; });

  const law_report report = report_of(wrong, "matches_oracle");

  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->spec.elements(), 101);
}

TEST(Engine, WhereNotAllOutputsWereLookedIntoTheSentenceSaysAtLeast) {
  toy_kernel kernel([](std::size_t, float& p, float& m, float& v) { p = m = v = 0; });
  case_spec spec;
  spec.draw = distribution::specials;
  spec.sizes = {1000};
  const rules::rule& rule = *rules::find_rule("adamw");
  for (const rules::scalar& s : rule.about().scalars) spec.scalars[s.name] = s.usual;
  rules::audit none;
  law_context context(kernel, rule, level::quick, 1, none);

  const auto found = find_law("special_values")->check(context, spec);

  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence.find("at least "), 0u) << found->sentence;
}

TEST(Engine, TheStageThatDepartsFirstIsNamed) {
  toy_kernel wrong_moment([](std::size_t, float&, float& m, float&) { m = -m; });
  toy_kernel wrong_variance([](std::size_t, float&, float&, float& v) { v *= 2; });
  toy_kernel wrong_update, no_decay;
  wrong_update.times_update = 1.5F;
  no_decay.decays = false;
  for (const auto& [kernel, expected] :
       {std::pair{&wrong_moment, "exp_avg"}, std::pair{&wrong_variance, "exp_avg_sq"},
        std::pair{&wrong_update, "update"}, std::pair{&no_decay, "decay"}}) {
    const law_report report = report_of(*kernel, "matches_oracle");

    ASSERT_TRUE(report.failure) << expected;
    EXPECT_EQ(first_stage(*kernel, *rules::find_rule("adamw"), *report.failure), expected);
  }
}

// Knows the turn of each run, and what its check had run before.
class turning_kernel : public toy_kernel {
 public:
  void turn_to(std::size_t turn) override { first_ = next_ = turn; }
  std::vector<outcome> run(std::span<const job> jobs) override {
    seen[next_ - first_].insert(next_ % 4);
    ++next_;
    return toy_kernel::run(jobs);
  }

  std::map<std::size_t, std::set<std::size_t>> seen;  // turns by the run's place in its check

 private:
  std::size_t first_ = 0, next_ = 0;
};

TEST(Engine, EveryRunOfEveryLawMeetsEveryPlacement) {
  for (const law& l : laws_of_hosts()) {
    turning_kernel right;
    const law_report report = report_of(right, l.name);

    EXPECT_EQ(report.result, verdict::verified) << l.name << ": " << report.detail;
    EXPECT_FALSE(right.seen.empty());
    for (const auto& [place, turns] : right.seen) {
      EXPECT_EQ(turns, (std::set<std::size_t>{0, 1, 2, 3})) << l.name << ", run " << place;
    }
  }
}

TEST(Engine, AFailureThatNeedsOnePlacementShrinksThere) {
  // Crashes as a read past the end of more than 1000 elements does, at a forbidden page only.
  class reads_on : public toy_kernel {
    void turn_to(std::size_t turn) override { turn_ = turn; }
    std::vector<outcome> run(std::span<const job> jobs) override {
      auto outcomes = toy_kernel::run(jobs);
      if (turn_++ % 4 == 1 && jobs[0].sizes[0] > 1000) outcomes[0].status = run_status::crashed;
      return outcomes;
    }
    std::size_t turn_ = 0;
  } kernel;

  const law_report report = report_of(kernel, "splitting");

  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.result, verdict::crashed);
  EXPECT_LT(report.failure->spec.elements(), 1100);
}

TEST(Engine, WhatEndsTheShrinkingLeavesTheFailureThatWasFound) {
  // Wrong throughout, and the suite has no memory left after so many runs.
  class costly : public toy_kernel {
   public:
    explicit costly(int affordable)
        : toy_kernel([](std::size_t, float&, float& m, float&) { m = 2 * m + 1; }),
          affordable_(affordable) {}
    std::vector<outcome> run(std::span<const job> jobs) override {
      if (affordable_-- == 0) throw std::bad_alloc();
      return toy_kernel::run(jobs);
    }

   private:
    int affordable_;
  };
  for (const int affordable : {1, 2, 20}) {
    costly kernel(affordable);
    const law_report report = report_of(kernel, "matches_oracle");

    ASSERT_TRUE(report.failure);
    EXPECT_EQ(report.result, verdict::diverged);
    ASSERT_TRUE(report.cut_short_by);
    EXPECT_THROW(std::rethrow_exception(report.cut_short_by), std::bad_alloc);
  }
  costly from_the_start(0);
  EXPECT_THROW(report_of(from_the_start, "matches_oracle"), std::bad_alloc);
}

TEST(Engine, ASignalAfterTheFailingCaseLeavesTheFailure) {
  toy_kernel wrong([](std::size_t, float&, float& m, float&) { m = 2 * m + 1; });
  campaign_settings settings;
  settings.progress = [](const law&, double) { throw std::runtime_error("stopped"); };
  rules::audit auditor;

  const law_report report =
      run_law(*find_law("matches_oracle"), wrong, *rules::find_rule("adamw"), settings, auditor);

  EXPECT_TRUE(report.failure);
  EXPECT_TRUE(report.cut_short_by);
}

TEST(Engine, TheSameSeedGivesTheSameReportAndAnotherSeedAnother) {
  toy_kernel right;

  const law_report a = report_of(right, "matches_oracle", 5);
  const law_report b = report_of(right, "matches_oracle", 5);
  const law_report c = report_of(right, "matches_oracle", 6);

  EXPECT_EQ(a.outputs_judged, b.outputs_judged);
  EXPECT_EQ(a.tally[0].histogram, b.tally[0].histogram);
  EXPECT_NE(a.tally[0].histogram, c.tally[0].histogram);
}

TEST(Engine, WhatTheKernelDidNotCompleteIsAVerdict) {
  toy_kernel kernel;
  for (const auto& [status, expected] : {std::pair{run_status::crashed, verdict::crashed},
                                         std::pair{run_status::timed_out, verdict::timed_out},
                                         std::pair{run_status::error_code, verdict::error_code}}) {
    kernel.status = status;
    EXPECT_EQ(report_of(kernel, "splitting").result, expected);
  }
}

TEST(Engine, EveryLawSeesWhatMustNotBeWritten) {
  toy_kernel kernel;
  kernel.writes_astray = true;
  for (const law& l : laws_of_hosts()) {
    EXPECT_EQ(report_of(kernel, l.name).result, verdict::out_of_bounds_write) << l.name;
  }
  kernel.writes_astray = false;
  kernel.keeps_environment = false;
  for (const law& l : laws_of_hosts()) {
    EXPECT_EQ(report_of(kernel, l.name).result, verdict::input_modified) << l.name;
  }
  kernel.keeps_environment = true;
  kernel.writes_gradient = true;
  for (const law& l : laws_of_hosts()) {
    EXPECT_EQ(report_of(kernel, l.name).result, verdict::input_modified) << l.name;
  }
}

TEST(Engine, TheOracleJudgesWhatPromisesNoBits) {
  toy_kernel kernel;
  kernel.promises().reproducible = false;
  for (const char* name : {"deterministic", "splitting", "permuting", "aligning"}) {
    const law_report report = report_of(kernel, name);
    EXPECT_EQ(report.result, verdict::verified) << name << ": " << report.detail;
    EXPECT_GT(report.tally[0].judged, 0u) << name;
  }
  for (const char* name : {"symmetries", "save_resume"}) {
    const law_report report = report_of(kernel, name);
    EXPECT_EQ(report.result, verdict::skipped) << name;
    EXPECT_NE(report.detail.find("bits=none"), std::string::npos) << name;
  }
  EXPECT_EQ(report_of(kernel, "influence").result, verdict::verified);
}

TEST(Engine, TheAuditMeetsManySmallCasesToo) {
  law small = *find_law("matches_oracle");
  small.profile.awkward_one_in = 0;
  small.profile.lists_up_to = 1;
  small.profile.elements_up_to = 20;
  small.full_cases = 4000;
  toy_kernel right;
  rules::audit auditor;
  campaign_settings settings;
  settings.depth = level::full;

  const law_report report = run_law(small, right, *rules::find_rule("adamw"), settings, auditor);

  // 1 in 1024, give or take seven standard deviations.
  std::uint64_t audited = 0;
  for (const auto& t : report.tally) audited += t.audited;
  const double expected = static_cast<double>(report.outputs_judged) / 1024;
  EXPECT_NEAR(static_cast<double>(audited), expected, 7 * std::sqrt(expected));
}

TEST(Engine, AKernelThatDoesNothingIsUnwritten) {
  class idle : public toy_kernel {
    std::vector<outcome> run(std::span<const job> jobs) override {
      std::vector<outcome> outcomes(jobs.size());
      for (std::size_t i = 0; i < jobs.size(); ++i) outcomes[i].roles = jobs[i].roles;
      return outcomes;
    }
  } kernel;

  EXPECT_EQ(report_of(kernel, "every_element_written").result, verdict::unwritten);
  EXPECT_EQ(report_of(kernel, "influence").result, verdict::diverged);
}

TEST(Engine, ALawThatMetNothingItNeedsFailsTheSuite) {
  law vacuous = *find_law("splitting");
  vacuous.covered = [](const law_context&) { return std::string("no case was met"); };
  toy_kernel right;
  rules::audit auditor;

  EXPECT_THROW(run_law(vacuous, right, *rules::find_rule("adamw"), {}, auditor),
               rules::oracle_failure);
}

TEST(Engine, EveryLawHasItsOwnNameAndCasesAtBothLevels) {
  std::set<std::string> names;
  for (const law& l : laws_of_hosts()) {
    EXPECT_TRUE(names.insert(l.name).second) << l.name;
    EXPECT_GT(l.quick_cases, 0);
    EXPECT_GE(l.full_cases, l.quick_cases);
  }
}

}  // namespace
}  // namespace driftgate::properties
