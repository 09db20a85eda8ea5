#include <gtest/gtest.h>

#include <set>
#include <string>

#include "properties/laws/law.hpp"

namespace driftgate::tests {
namespace {

TEST(Mutants, EveryLawHasOneThatItMustCatch) {
  std::set<std::string> laws;
  for (const properties::law& law : properties::all_laws()) laws.insert(law.name);
  EXPECT_EQ((std::set<std::string>{DRIFTGATE_MUTANT_LAWS}), laws);
}

}  // namespace
}  // namespace driftgate::tests
