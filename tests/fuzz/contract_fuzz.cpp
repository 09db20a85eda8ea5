// parse_contract on words that a plugin could bring: lines in the order of contract_words. It
// throws its two errors or returns a contract; anything else is a fault.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "properties/contract_parse.hpp"
#include "tests/fuzz/require.hpp"

namespace driftgate::properties {
namespace {

contract_words words_of(std::string_view text) {
  contract_words words;
  for (std::string* field : {&words.name, &words.rule, &words.device, &words.dtypes, &words.options,
                             &words.numerics, &words.budget}) {
    const std::string_view line = text.substr(0, text.find('\n'));
    *field = line;
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
  }
  return words;
}

void read(const contract_words& words) {
  using fuzz::require;
  const contract c = parse_contract(words);
  require(!c.dtypes.empty(), "a contract has dtypes");
  require(c.device == "cpu" || c.device == "cuda", "the device is a known one");
  require(std::isfinite(c.div_ulp) && c.div_ulp >= 0.5, "a division is off by half an ulp or more");
  require(std::isfinite(c.sqrt_ulp) && c.sqrt_ulp >= 0.5, "so is a root");
  require(!c.sum_depth || *c.sum_depth >= 1, "a reduction has a depth");
  for (const auto& [word, count] : c.budget) require(count >= 0, "a budget is not negative");
}

}  // namespace
}  // namespace driftgate::properties

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftgate::properties;
  const contract_words words = words_of({reinterpret_cast<const char*>(data), size});
  try {
    read(words);
  } catch (const contract_error& e) {
    driftgate::fuzz::require(*e.what() != '\0', "an error is a sentence");
  } catch (const unsupported_error& e) {
    driftgate::fuzz::require(*e.what() != '\0', "an error is a sentence");
  }
  return 0;
}
