#include "properties/gen/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace driftgate::properties {
namespace {

const rules::description& adamw() {
  static const rules::description plain = rules::find_rule("adamw")->about().stored_as({});
  return plain;
}

case_spec spec_of(distribution draw, std::vector<std::int64_t> sizes) {
  case_spec spec;
  spec.seed = 42;
  spec.draw = draw;
  spec.sizes = std::move(sizes);
  for (const rules::scalar& s : adamw().scalars) spec.scalars[s.name] = s.usual;
  return spec;
}

input_statistics statistics_of(distribution draw) {
  input_statistics statistics;
  statistics.add(expand(spec_of(draw, {10'000}), adamw()));
  return statistics;
}

TEST(Generators, AnElementDependsOnItsGlobalIndexOnly) {
  const auto whole = expand(spec_of(distribution::training, {100}), adamw());
  auto later = spec_of(distribution::training, {40});
  later.first = 60;
  const auto tail = expand(later, adamw());
  for (std::size_t r = 0; r < whole.data.size(); ++r) {
    EXPECT_TRUE(std::equal(tail.data[r].begin(), tail.data[r].end(), whole.data[r].begin() + 60));
  }
}

TEST(Generators, SecondMomentsAreNeverNegative) {
  for (std::uint32_t d = 0; d < distribution_count; ++d) {
    const auto data = expand(spec_of(static_cast<distribution>(d), {3000}), adamw());
    for (std::size_t r = 0; r < data.roles.size(); ++r) {
      if (!adamw().roles[r].non_negative) continue;
      for (const float v : data.data[r]) EXPECT_FALSE(v < 0) << name(static_cast<distribution>(d));
    }
  }
}

TEST(Generators, SpecialsHoldNaNInfinitiesAndZeros) {
  const auto s = statistics_of(distribution::specials);
  EXPECT_GT(s.nan, s.count / 20);
  EXPECT_GT(s.infinite, s.count / 20);
  EXPECT_GT(s.zero, s.count / 20);
}

TEST(Generators, BitPatternsReachSubnormalsButNoSpecials) {
  const auto s = statistics_of(distribution::bits);
  EXPECT_GT(s.subnormal, 0u);
  EXPECT_EQ(s.nan + s.infinite, 0u);
}

TEST(Generators, SubnormalsAreMostlySubnormal) {
  const auto s = statistics_of(distribution::subnormals);
  EXPECT_GT(s.subnormal, s.count / 2);
}

TEST(Generators, EdgesHoldPowersOfTwoAndTheEndsOfTheRange) {
  const auto s = statistics_of(distribution::edges);
  EXPECT_GT(s.power_of_two, s.count / 20);
  const auto data = expand(spec_of(distribution::edges, {1000}), adamw());
  const auto& p = data.data.front();
  EXPECT_TRUE(std::find(p.begin(), p.end(), std::numeric_limits<float>::max()) != p.end());
}

TEST(Generators, VisibleStagesAreVisible) {
  const auto update = expand(spec_of(distribution::update_visible, {100}), adamw());
  EXPECT_TRUE(
      std::all_of(update.data[0].begin(), update.data[0].end(), [](float p) { return p == 0; }));
  const auto decay = expand(spec_of(distribution::decay_visible, {100}), adamw());
  for (const std::size_t r : {1, 2}) {
    EXPECT_TRUE(
        std::all_of(decay.data[r].begin(), decay.data[r].end(), [](float x) { return x == 0; }));
  }
}

// ---- 16-bit formats

using formats::format_id;

rules::description adamw_in(format_id format, bool with_master = false) {
  rules::role_formats formats{{"param", format},
                              {"grad", format},
                              {"exp_avg", format_id::f32},
                              {"exp_avg_sq", format_id::f32},
                              {"max_exp_avg_sq", format_id::f32}};
  if (with_master) formats.emplace("master_param", format_id::f32);
  return rules::find_rule("adamw")->about().stored_as(formats);
}

TEST(Generators, EveryElementIsOneOfItsFormat) {
  for (const format_id format : {format_id::bf16, format_id::f16}) {
    for (std::uint32_t d = 0; d < distribution_count; ++d) {
      const auto data =
          expand(spec_of(static_cast<distribution>(d), {3000}), adamw_in(format, d % 2 == 0));
      for (std::size_t r = 0; r < data.data.size(); ++r) {
        for (const float x : data.data[r]) {
          EXPECT_TRUE(std::isnan(x) || formats::round(data.formats[r], x) == x)
              << name(static_cast<distribution>(d)) << " " << data.roles[r];
        }
      }
    }
  }
}

TEST(Generators, BytesAreTheFormatsPatternsAndComeBack) {
  const auto data = expand(spec_of(distribution::bits, {1000}), adamw_in(format_id::f16));
  const auto bytes = encode(format_id::f16, data.data[0]);
  EXPECT_EQ(bytes.size(), 2000u);
  EXPECT_EQ(decode(format_id::f16, bytes), data.data[0]);
}

TEST(Generators, BitsReachEveryFiniteNumberOfF16) {
  // 2^21 draws of 63 488 patterns: that one is missed has a probability of 3e-10.
  const auto data = expand(spec_of(distribution::bits, {1 << 21}), adamw_in(format_id::f16));
  std::vector<bool> seen(0x10000);
  for (const float x : data.data[0]) seen[formats::encode(format_id::f16, x)] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 2 * 0x7c00);
}

TEST(Generators, AShortFormatsEdgesAndSubnormalsAreItsOwn) {
  const auto edges = expand(spec_of(distribution::edges, {1000}), adamw_in(format_id::f16)).data[0];
  for (const float edge : {65504.0F, 0x1p-24F, 0x1p-14F, 1 + 0x1p-10F}) {
    EXPECT_TRUE(std::find(edges.begin(), edges.end(), edge) != edges.end()) << edge;
  }
  input_statistics subnormals;
  subnormals.add(expand(spec_of(distribution::subnormals, {10'000}), adamw_in(format_id::f16)));
  EXPECT_GT(subnormals.subnormal, subnormals.count / 2);
  // Few gradients of training are subnormal in f16, as scaled losses see to.
  const auto training = expand(spec_of(distribution::training, {1000}), adamw_in(format_id::f16));
  EXPECT_LT(std::count_if(training.data[1].begin(), training.data[1].end(),
                          [](float g) { return std::fabs(g) < 0x1p-14F; }),
            250);
}

TEST(Generators, ACopyIsItsMasterRoundedAndManyMastersAreTies) {
  const auto data =
      expand(spec_of(distribution::training, {4000}), adamw_in(format_id::bf16, true));
  ASSERT_EQ(data.roles.back(), "master_param");
  int ties = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    const double master = data.data.back()[i];
    EXPECT_EQ(data.data[0][i], formats::round(format_id::bf16, master));
    const auto from = formats::rounds_to(format_id::bf16, data.data[0][i]);
    ties += master == from.below || master == from.above;
  }
  EXPECT_GT(ties, 4000 / 16);
}

// Draws n cases with a fixed seed.
std::vector<case_spec> drawn(const case_profile& profile, int n) {
  std::vector<case_spec> specs;
  const auto gen = cases(adamw(), profile);
  rc::Random random(7);
  for (int i = 0; i < n; ++i) specs.push_back(gen(random.split(), rc::kNominalSize).value());
  return specs;
}

TEST(Generators, CasesCoverTheHyperparametersOfInterest) {
  case_profile profile;
  profile.draws = {distribution::training};
  profile.options = {"amsgrad"};
  const auto specs = drawn(profile, 2000);
  const auto some = [&](auto&& holds) { return std::any_of(specs.begin(), specs.end(), holds); };
  const auto all = [&](auto&& holds) { return std::all_of(specs.begin(), specs.end(), holds); };
  for (const auto& [scalar, value] : std::map<std::string, double>{{"lr", 0},
                                                                   {"lr", 1},
                                                                   {"beta1", 0},
                                                                   {"beta2", 1 - 0x1p-14},
                                                                   {"eps", 0},
                                                                   {"eps", 1},
                                                                   {"weight_decay", 0},
                                                                   {"amsgrad", 1}}) {
    EXPECT_TRUE(some([&](const case_spec& s) { return s.scalars.at(scalar) == value; })) << scalar;
  }
  EXPECT_TRUE(some([](const case_spec& s) { return s.step == 1; }));
  EXPECT_TRUE(some([](const case_spec& s) { return s.step > 16'777'216; }));
  EXPECT_TRUE(some([](const case_spec& s) {
    return std::find(s.sizes.begin(), s.sizes.end(), 0) != s.sizes.end();
  }));
  // An option that the kernel does not support is never on.
  EXPECT_TRUE(all([](const case_spec& s) { return s.scalars.at("maximize") == 0; }));
  // Few steps decay by more than half, and some by more than all.
  const auto decay = [](const case_spec& s) {
    return s.scalars.at("lr") * s.scalars.at("weight_decay");
  };
  EXPECT_TRUE(some([&](const case_spec& s) { return decay(s) > 0.5 && decay(s) < 1; }));
  EXPECT_TRUE(some([&](const case_spec& s) { return decay(s) > 1; }));
  EXPECT_FALSE(all([&](const case_spec& s) { return decay(s) > 0.5; }));
}

TEST(Generators, NoBetaIsOneForAKernelThatReadsItInSingle) {
  case_profile profile;
  profile.draws = {distribution::training};
  const auto rounds_to_one = [](const case_spec& s) {
    return static_cast<float>(s.scalars.at("beta1")) == 1;
  };
  auto specs = drawn(profile, 2000);
  EXPECT_TRUE(std::any_of(specs.begin(), specs.end(), rounds_to_one));
  profile.single_scalars = true;
  specs = drawn(profile, 2000);
  EXPECT_FALSE(std::any_of(specs.begin(), specs.end(), rounds_to_one));
}

TEST(Generators, AwkwardListsAreEmptyAtBothEndsLongAndLarge) {
  case_profile profile;
  profile.draws = {distribution::training};
  profile.awkward_one_in = 10;
  const auto specs = drawn(profile, 400);
  const auto some = [&](auto&& holds) { return std::any_of(specs.begin(), specs.end(), holds); };
  EXPECT_TRUE(some([](const case_spec& s) { return s.sizes.size() > 1 && s.sizes.front() == 0; }));
  EXPECT_TRUE(some([](const case_spec& s) { return s.sizes.size() > 1 && s.sizes.back() == 0; }));
  EXPECT_TRUE(some([](const case_spec& s) { return s.sizes.size() >= 300; }));
  EXPECT_TRUE(some([](const case_spec& s) { return s.sizes.back() > 65'536; }));
}

}  // namespace
}  // namespace driftgate::properties
