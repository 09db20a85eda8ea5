#include "oracles/numbers/multiprecision.hpp"

#include <cstdlib>

namespace driftgate::numbers {

std::string multiprecision::to_string(int digits) const {
  char* text = nullptr;
  if (mpfr_asprintf(&text, "%.*Rg", digits, value_) < 0) return "?";
  std::string result(text);
  mpfr_free_str(text);
  return result;
}

}  // namespace driftgate::numbers
