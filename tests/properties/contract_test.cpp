#include <gtest/gtest.h>

#include "properties/contract_parse.hpp"

namespace driftgate::properties {
namespace {

using formats::format_id;

contract_words plain() {
  return {"fused_adamw", "adamw", "cpu", "param=f32 grad=bf16", "", "", ""};
}

std::string quoted(const char* word) {
  return std::string(1, '"').append(word).append(1, '"');
}

contract parse_numerics(const std::string& numerics) {
  contract_words words = plain();
  words.numerics = numerics;
  return parse_contract(words);
}

// The message of the error of that type, or what happened instead.
template <class Error>
std::string complaint(const contract_words& words) {
  try {
    parse_contract(words);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another type of error: ") + error.what();
  }
  return "no error";
}

template <class Error = contract_error>
std::string complaint_about(std::string contract_words::*field, const std::string& text) {
  contract_words words = plain();
  words.*field = text;
  return complaint<Error>(words);
}

TEST(Contract, WhatIsNotSaidHasItsDefault) {
  const contract promised = parse_contract(plain());

  EXPECT_EQ(promised.name, "fused_adamw");
  EXPECT_EQ(promised.dtypes, (std::map<std::string, format_id>{{"grad", format_id::bf16},
                                                               {"param", format_id::f32}}));
  EXPECT_TRUE(promised.options.empty());
  EXPECT_EQ(promised.compute, format_id::f32);
  EXPECT_EQ(promised.round, rounding::nearest);
  EXPECT_EQ(promised.coefficient, coefficients::f64);
  EXPECT_EQ(promised.moment, moments::either);
  EXPECT_FALSE(promised.flush_subnormals);
  EXPECT_EQ(promised.div_ulp, 0.5);
  EXPECT_EQ(promised.sqrt_ulp, 0.5);
  EXPECT_FALSE(promised.sum_depth.has_value());
  EXPECT_TRUE(promised.reproducible);
  EXPECT_TRUE(promised.budget.empty());
}

TEST(Contract, EveryWordOfTheNumericsIsUnderstood) {
  const contract promised = parse_numerics(
      "compute=f64 rounding=stochastic coefficients=f32 moments=unrounded\tsubnormals=ftz "
      "div=ulp:2 sqrt=ulp:1.5 sum_depth=12 bits=none");

  EXPECT_EQ(promised.compute, format_id::f64);
  EXPECT_EQ(promised.round, rounding::stochastic);
  EXPECT_EQ(promised.coefficient, coefficients::f32);
  EXPECT_EQ(promised.moment, moments::unrounded);
  EXPECT_TRUE(promised.flush_subnormals);
  EXPECT_EQ(promised.div_ulp, 2);
  EXPECT_EQ(promised.sqrt_ulp, 1.5);
  EXPECT_EQ(promised.sum_depth, 12);
  EXPECT_FALSE(promised.reproducible);
}

TEST(Contract, TheOtherChoiceOfEveryWordIsUnderstood) {
  const contract promised = parse_numerics(
      "compute=bf16 rounding=nearest coefficients=f64 moments=stored subnormals=keep "
      "bits=reproducible");

  EXPECT_EQ(promised.compute, format_id::bf16);
  EXPECT_EQ(promised.moment, moments::stored);
  EXPECT_FALSE(promised.flush_subnormals);
}

TEST(Contract, OptionsAndBudgetAreSetsOfWords) {
  contract_words words = plain();
  words.options = " maximize  amsgrad ";
  words.budget = "launches=1 copies=0 bytes=28 capture=yes";
  const contract promised = parse_contract(words);

  EXPECT_EQ(promised.options, (std::set<std::string>{"amsgrad", "maximize"}));
  EXPECT_EQ(promised.budget, (std::map<std::string, std::int64_t>{
                                 {"launches", 1}, {"copies", 0}, {"bytes", 28}, {"capture", 1}}));
  EXPECT_EQ(promised.options_text, words.options);
  EXPECT_EQ(promised.budget_text, words.budget);
}

TEST(Contract, AnUnknownWordIsNamedWithTheKnownOnes) {
  EXPECT_EQ(complaint_about(&contract_words::budget, "launches=1 lunches=2"),
            "Kernel \"fused_adamw\": unknown word \"lunches=2\" in its budget; known are "
            "launches=N, copies=N, bytes=N, capture=yes.");
  EXPECT_EQ(complaint_about(&contract_words::device, "tpu"),
            "Kernel \"fused_adamw\": unknown word \"tpu\" in its device; known are cpu, cuda.");
  const std::string numerics = complaint_about(&contract_words::numerics, "rounding=up");
  EXPECT_EQ(numerics.find("Kernel \"fused_adamw\": unknown word \"rounding=up\" in its numerics; "
                          "known are compute=f32|f64|bf16|f16|tf32, rounding=nearest|stochastic,"),
            0u)
      << numerics;
  const std::string dtypes = complaint_about(&contract_words::dtypes, "param=float");
  EXPECT_NE(dtypes.find("unknown word \"param=float\""), std::string::npos) << dtypes;
  EXPECT_NE(dtypes.find("f32, bf16, f16, f64"), std::string::npos) << dtypes;
}

TEST(Contract, AWordOutOfItsRangeIsUnknown) {
  for (const char* word : {"div=ulp:0.25", "div=ulp:inf", "div=ulp:nan", "sqrt=ulp:", "sqrt=2",
                           "sum_depth=0", "sum_depth=3x", "sum_depth=", "compute=i32", "compute",
                           "=f32", "bits=maybe", "Bits=none"}) {
    const std::string text = complaint_about(&contract_words::numerics, word);
    EXPECT_NE(text.find("unknown word " + quoted(word)), std::string::npos) << text;
  }
  for (const char* word :
       {"launches=-1", "bytes=1.5", "capture=no", "copies=99999999999999999999"}) {
    const std::string text = complaint_about(&contract_words::budget, word);
    EXPECT_NE(text.find("unknown word " + quoted(word)), std::string::npos) << text;
  }
}

TEST(Contract, AWordSaidTwiceIsAnError) {
  EXPECT_EQ(complaint_about(&contract_words::numerics, "bits=none bits=reproducible"),
            "Kernel \"fused_adamw\": \"bits\" is said twice in its numerics.");
}

TEST(Contract, UlpsBeyondWhatDevicesNeedAreAnError) {
  EXPECT_EQ(complaint_about(&contract_words::numerics, "div=ulp:64"),
            "Kernel \"fused_adamw\": \"div=ulp:64\" in its numerics is beyond the 4 ulps that the "
            "operations of today's devices need.");
  EXPECT_EQ(complaint_about(&contract_words::numerics, "sqrt=ulp:4.001").find("no error"),
            std::string::npos);
  EXPECT_EQ(parse_numerics("div=ulp:4 sqrt=ulp:4").div_ulp, 4);
}

TEST(Contract, ANameIsAWordThatCanBeAFileName) {
  for (const std::string& name :
       {std::string("a/b"), std::string("../up"), std::string(".hidden"), std::string("two words"),
        std::string("a\"b"), std::string(65, 'a'), std::string(1000, 'a')}) {
    const std::string text = complaint_about(&contract_words::name, name);
    EXPECT_NE(text.find("a name has at most 64 of the characters"), std::string::npos) << text;
    EXPECT_LT(text.size(), 400u);
  }
  for (const std::string& name : {std::string("adamw-v1.2+fused_X"), std::string(64, 'a')}) {
    EXPECT_EQ(complaint_about(&contract_words::name, name), "no error");
  }
}

TEST(Contract, PromisesThatNoLawLooksAtAreListed) {
  contract_words words = plain();
  EXPECT_TRUE(unverified_promises(parse_contract(words)).empty());
  words.budget = "launches=1  bytes=28";
  words.numerics = "compute=f32 moments=stored div=ulp:2 sum_depth=9";
  EXPECT_EQ(unverified_promises(parse_contract(words)),
            (std::vector<std::string>{"budget launches=1", "budget bytes=28", "moments=stored",
                                      "sum_depth=9"}));
}

TEST(Contract, WhatIsRequiredMustBeThere) {
  EXPECT_EQ(complaint_about(&contract_words::rule, ""), "Kernel \"fused_adamw\" has no rule.");
  EXPECT_EQ(complaint_about(&contract_words::dtypes, " "), "Kernel \"fused_adamw\" has no dtypes.");
  EXPECT_EQ(complaint_about(&contract_words::name, ""), "Kernel \"\" has no name.");
}

TEST(Contract, WhatThisVersionCannotVerifyIsNotAnUnknownWord) {
  EXPECT_EQ(complaint_about<unsupported_error>(&contract_words::numerics, "compute=tf32"),
            "Kernel \"fused_adamw\": \"compute=tf32\" in its numerics is known but this version "
            "cannot verify it.");
  const char* word = "exp_avg=f8e4m3";
  EXPECT_NE(complaint_about<unsupported_error>(&contract_words::dtypes, word).find(quoted(word)),
            std::string::npos);
}

TEST(Contract, RolesOfOneElementAreApartFromTheListsAndHaveOneFormat) {
  contract_words words = plain();
  words.dtypes += " step=i64 found_inf=f32";
  const contract promised = parse_contract(words);
  EXPECT_EQ(promised.scalar_roles, (std::set<std::string>{"found_inf", "step"}));
  EXPECT_FALSE(promised.dtypes.contains("step"));
  EXPECT_EQ(complaint_about(&contract_words::dtypes, "param=f32 step=f32"),
            "Kernel \"fused_adamw\": \"step=f32\" in its dtypes (role=format): a role step has the "
            "format i64.");
}

}  // namespace
}  // namespace driftgate::properties
