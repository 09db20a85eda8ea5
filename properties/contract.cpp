#include "properties/contract.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "oracles/rules/scalar_roles.hpp"
#include "properties/contract_parse.hpp"

namespace driftgate::properties {
namespace {

using formats::format_id;
using word_list = std::span<const std::string_view>;

constexpr std::array<std::string_view, 2> devices{"cpu", "cuda"};
constexpr std::array<std::string_view, 4> verified_formats{"f32", "bf16", "f16", "f64"};
constexpr std::array<std::string_view, 8> other_formats{"tf32", "f8e4m3", "f8e5m2", "u8",
                                                        "i8",   "i16",    "i32",    "i64"};
constexpr std::array<std::string_view, 9> numerics_words{"compute=f32|f64|bf16|f16|tf32",
                                                         "rounding=nearest|stochastic",
                                                         "coefficients=f64|f32",
                                                         "moments=stored|unrounded",
                                                         "subnormals=keep|ftz",
                                                         "div=ulp:N",
                                                         "sqrt=ulp:N",
                                                         "sum_depth=N",
                                                         "bits=reproducible|none"};
constexpr std::array<std::string_view, 4> budget_words{"launches=N", "copies=N", "bytes=N",
                                                       "capture=yes"};

bool contains(word_list list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// One of the table's strings while it is read: what its errors have in common.
class field {
 public:
  field(const contract_words& words, std::string_view name, word_list known)
      : kernel_(words.name), name_(name), known_(known) {}

  [[noreturn]] void unknown(std::string_view word) const {
    throw contract_error(fmt::format("Kernel \"{}\": unknown word \"{}\" in its {}; known are {}.",
                                     kernel_, word, name_, fmt::join(known_, ", ")));
  }
  [[noreturn]] void twice(std::string_view word) const {
    throw contract_error(
        fmt::format("Kernel \"{}\": \"{}\" is said twice in its {}.", kernel_, word, name_));
  }
  [[noreturn]] void unsupported(std::string_view word) const {
    throw unsupported_error(
        fmt::format("Kernel \"{}\": \"{}\" in its {} is known but this version cannot verify it.",
                    kernel_, word, name_));
  }

  [[noreturn]] void other_format(std::string_view word, const rules::scalar_role& role) const {
    throw contract_error(
        fmt::format("Kernel \"{}\": \"{}\" in its {}: a role {} has the format {}.", kernel_, word,
                    name_, role.name, role.format));
  }
  [[noreturn]] void too_loose(std::string_view word, double most) const {
    throw contract_error(
        fmt::format("Kernel \"{}\": \"{}\" in its {} is beyond the {} ulps that the operations of "
                    "today's devices need.",
                    kernel_, word, name_, most));
  }

  // Calls `read(key, value, word)` for every "key=value"; false from it means an unknown word.
  template <class Read>
  void each_pair(const std::string& text, Read read) const {
    std::set<std::string> seen;
    for (const std::string& word : split(text)) {
      const std::size_t equals = word.find('=');
      if (equals == 0 || equals == std::string::npos) unknown(word);
      const std::string key = word.substr(0, equals);
      if (!seen.insert(key).second) twice(key);
      if (!read(key, word.substr(equals + 1), word)) unknown(word);
    }
  }

  format_id format(const std::string& value, const std::string& word) const {
    if (const auto format = formats::parse(value)) return *format;
    if (contains(other_formats, value)) unsupported(word);
    unknown(word);
  }

 private:
  std::string kernel_;
  std::string_view name_;
  word_list known_;
};

// Sets `target` to the choice whose word `value` is.
template <class T>
bool choose(const std::string& value, T& target,
            std::initializer_list<std::pair<std::string_view, T>> choices) {
  for (const auto& [word, choice] : choices) {
    if (value == word) {
      target = choice;
      return true;
    }
  }
  return false;
}

// The whole text as a number not below `least`.
template <class T>
std::optional<T> number(std::string_view text, T least) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Written so that a NaN fails, too.
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least)) return {};
  return value;
}

// What a promise div=ulp:N or sqrt=ulp:N may allow. The loosest operation in use is CUDA's
// approximate square root with 3 ulps on old devices (2 for division and 1 for the square root on
// those of today: CUDA C++ Programming Guide, "Mathematical Functions", single precision without
// -prec-div and -prec-sqrt); the next power of two leaves room for a reciprocal that is multiplied.
// Beyond it the promise would hide faults of the kernel's own.
constexpr double most_ulps = 4;

// "ulp:N". Less than half an ulp is out of every operation's reach.
bool read_ulps(const field& from, std::string_view value, const std::string& word, double& target) {
  constexpr std::string_view prefix = "ulp:";
  if (!value.starts_with(prefix)) return false;
  const auto ulps = number<double>(value.substr(prefix.size()), 0.5);
  if (!ulps || !std::isfinite(*ulps)) return false;
  if (*ulps > most_ulps) from.too_loose(word, most_ulps);
  target = *ulps;
  return true;
}

void read_dtypes(const contract_words& words, contract& result) {
  std::vector<std::string_view> known(verified_formats.begin(), verified_formats.end());
  known.insert(known.end(), other_formats.begin(), other_formats.end());
  const field dtypes(words, "dtypes (role=format)", known);
  dtypes.each_pair(words.dtypes,
                   [&](const std::string& role, const std::string& value, const std::string& word) {
                     if (const rules::scalar_role* one = rules::find_scalar_role(role)) {
                       if (value != one->format) dtypes.other_format(word, *one);
                       result.scalar_roles.insert(role);
                       return true;
                     }
                     result.dtypes.emplace(role, dtypes.format(value, word));
                     return true;
                   });
}

void read_numerics(const contract_words& words, contract& result) {
  const field numerics(words, "numerics", numerics_words);
  numerics.each_pair(words.numerics, [&](const std::string& key, const std::string& value,
                                         const std::string& word) {
    if (key == "compute") {
      if (value != "tf32" && !contains(verified_formats, value)) return false;
      result.compute = numerics.format(value, word);
      return true;
    }
    if (key == "rounding") {
      return choose(value, result.round,
                    {{"nearest", rounding::nearest}, {"stochastic", rounding::stochastic}});
    }
    if (key == "coefficients") {
      return choose(value, result.coefficient,
                    {{"f64", coefficients::f64}, {"f32", coefficients::f32}});
    }
    if (key == "moments") {
      return choose(value, result.moment,
                    {{"stored", moments::stored}, {"unrounded", moments::unrounded}});
    }
    if (key == "subnormals") {
      return choose(value, result.flush_subnormals, {{"keep", false}, {"ftz", true}});
    }
    if (key == "bits") {
      return choose(value, result.reproducible, {{"reproducible", true}, {"none", false}});
    }
    if (key == "div") return read_ulps(numerics, value, word, result.div_ulp);
    if (key == "sqrt") return read_ulps(numerics, value, word, result.sqrt_ulp);
    if (key == "sum_depth") {
      result.sum_depth = number<std::int64_t>(value, 1);
      return result.sum_depth.has_value();
    }
    return false;
  });
}

void read_budget(const contract_words& words, contract& result) {
  constexpr std::array<std::string_view, 3> counts{"launches", "copies", "bytes"};
  field(words, "budget", budget_words)
      .each_pair(words.budget,
                 [&](const std::string& key, const std::string& value, const std::string& word) {
                   const auto count = word == "capture=yes"   ? std::optional<std::int64_t>(1)
                                      : contains(counts, key) ? number<std::int64_t>(value, 0)
                                                              : std::nullopt;
                   if (count) result.budget.emplace(key, *count);
                   return count.has_value();
                 });
}

void require(const contract_words& words, const std::string& text, std::string_view what) {
  if (split(text).empty()) {
    throw contract_error(fmt::format("Kernel \"{}\" has no {}.", words.name, what));
  }
}

// Names become file names, ctest names and words of a command line.
void require_plain(const std::string& name) {
  constexpr std::size_t longest = 64;
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
  };
  if (name.size() <= longest && name.front() != '.' && std::all_of(name.begin(), name.end(), plain))
    return;
  throw contract_error(fmt::format(
      "Kernel \"{}\": a name has at most {} of the characters A-Z a-z 0-9 _ . + - and "
      "does not begin with a dot.",
      name.size() <= 2 * longest ? name : name.substr(0, 2 * longest) + "...", longest));
}

}  // namespace

std::vector<std::string> unverified_promises(const contract& promised) {
  std::vector<std::string> words;
  for (const std::string& word : split(promised.budget_text)) {
    // A device's launches, copies and capture are a law's.
    if (promised.device == "cpu" || word.starts_with("bytes=")) words.push_back("budget " + word);
  }
  for (const std::string& word : split(promised.numerics_text)) {
    if (word.starts_with("moments=") || word.starts_with("sum_depth=")) words.push_back(word);
  }
  return words;
}

contract parse_contract(const contract_words& words) {
  require(words, words.name, "name");
  require_plain(words.name);
  require(words, words.rule, "rule");
  require(words, words.device, "device");
  require(words, words.dtypes, "dtypes");
  if (!contains(devices, words.device)) field(words, "device", devices).unknown(words.device);

  contract result;
  result.name = words.name;
  result.rule = words.rule;
  result.device = words.device;
  for (const std::string& option : split(words.options)) {
    if (!result.options.insert(option).second) field(words, "options", {}).twice(option);
  }
  read_dtypes(words, result);
  read_numerics(words, result);
  read_budget(words, result);
  result.dtypes_text = words.dtypes;
  result.options_text = words.options;
  result.numerics_text = words.numerics;
  result.budget_text = words.budget;
  return result;
}

}  // namespace driftgate::properties
