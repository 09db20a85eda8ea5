#include "gate/records/failure_file.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <type_traits>

namespace driftgate::gate {
namespace {

using json = nlohmann::json;
constexpr const char* schema = "driftgate.failure/1";
// Of a case that a file may ask for: four times the largest list that is ever generated
// (properties/gen), and as many tensors.
constexpr std::int64_t most_elements = std::int64_t{1} << 22;

// Shortest decimal that reads back to the same bits.
json bits_and_value(float x) {
  return {{"value", fmt::format("{}", x)},
          {"bits", fmt::format("0x{:08x}", std::bit_cast<std::uint32_t>(x))}};
}

// The tensor of a flat index, and the index in it.
std::pair<std::size_t, std::int64_t> place(const std::vector<std::int64_t>& sizes,
                                           std::uint64_t flat) {
  auto rest = static_cast<std::int64_t>(flat);
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    if (rest < sizes[t]) return {t, rest};
    rest -= sizes[t];
  }
  return {sizes.size(), rest};
}

// Where the real numbers have no answer the oracle allows a few values and nothing around them; it
// writes them as "any of {inf, nan}".
std::vector<std::string> allowed_values(const rules::verdict_on_element& judged) {
  std::vector<std::string> values;
  const auto open = judged.exact.find('{');
  if (judged.decided_by != rules::tier::special || open == std::string::npos) return values;
  const std::string list = judged.exact.substr(open + 1, judged.exact.rfind('}') - open - 1);
  constexpr std::string_view comma = ", ";
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(comma, at), list.size());
    values.push_back(list.substr(at, end - at));
    at = end + comma.size();
  }
  return values;
}

// A member that is a whole number of that type: the library would cut 1.5 and wrap -1 around.
template <class T, class Key>
T whole(const json& j, const Key& key) {
  const json& value = j.at(key);
  const bool fits = std::is_unsigned_v<T> ? value.is_number_unsigned()
                    : value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <=
                              static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                        : value.is_number_integer();
  if (!fits) throw std::runtime_error(fmt::format("\"{}\" is no such whole number", value.dump()));
  return value.get<T>();
}

properties::case_spec spec_from(const json& j) {
  properties::case_spec spec;
  spec.seed = whole<std::uint64_t>(j, "seed");
  spec.first = whole<std::uint64_t>(j, "first");
  spec.step = whole<std::int64_t>(j, "step");
  if (spec.step < 1) throw std::runtime_error("its step is less than 1");
  const json& sizes = j.at("sizes");
  if (!sizes.is_array() || sizes.size() > most_elements) {
    throw std::runtime_error("its sizes are no list of at most 2^22 numbers");
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    spec.sizes.push_back(whole<std::int64_t>(sizes, i));
  spec.scalars = j.at("scalars").get<std::map<std::string, double>>();
  const auto draw = j.at("draw").get<std::string>();
  bool known = false;
  for (std::uint32_t d = 0; d < properties::distribution_count; ++d) {
    if (draw != properties::name(static_cast<properties::distribution>(d))) continue;
    spec.draw = static_cast<properties::distribution>(d);
    known = true;
  }
  if (!known) throw std::runtime_error("unknown distribution \"" + draw + "\"");
  std::int64_t total = 0;
  for (const std::int64_t n : spec.sizes) {
    if (n < 0 || n > most_elements || (total += n) > most_elements) {
      throw std::runtime_error("its sizes are negative or beyond 2^22 elements");
    }
  }
  return spec;
}

}  // namespace

json describe_failure(const properties::failing_case& failure, const rules::description& rule,
                      const std::string& stage) {
  const properties::case_spec& spec = failure.spec;
  const properties::violation& v = failure.what;
  // Every field is there; those of an element or a budget are empty where there is none.
  json j = {{"output", v.output},
            {"sizes", spec.sizes},
            {"step", spec.step},
            {"scalars", spec.scalars},
            {"sentence", v.sentence},
            {"stage", stage},
            {"verdict", std::string(properties::name(v.what))},
            {"tensor", nullptr},
            {"element", nullptr},
            {"inputs", json::object()},
            {"got", ""},
            {"got_bits", ""},
            {"exact", v.judged.exact},
            {"allowed", v.judged.allowed},
            {"allowed_values", allowed_values(v.judged)},
            {"ratio", nullptr}};
  if (!j["allowed_values"].empty()) j["exact"] = j["allowed"] = "";
  if (!v.element) return j;
  const auto [tensor, element] = place(spec.sizes, *v.element);
  j["tensor"] = tensor;
  j["element"] = element;
  const auto data = properties::expand(spec, rule);
  json inputs = json::object();
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    const std::string& option = rule.roles[r].option;
    if (!option.empty() && spec.scalars.at(option) == 0) continue;
    inputs[data.roles[r]] = bits_and_value(data.data[r].at(*v.element));
  }
  j["inputs"] = inputs;
  j["got"] = fmt::format("{}", v.got);
  j["got_bits"] = fmt::format("0x{:08x}", std::bit_cast<std::uint32_t>(v.got));
  if (!v.judged.exact.empty() && std::isfinite(v.judged.ratio)) j["ratio"] = v.judged.ratio;
  return j;
}

void write_failure(const std::filesystem::path& path, const replayable& what,
                   const json& description) {
  const properties::case_spec& spec = what.spec;
  const json file = {{"schema", schema},
                     {"kernel", what.kernel},
                     {"plugin", what.plugin},
                     {"rule", what.rule},
                     {"law", what.law},
                     {"case",
                      {{"seed", spec.seed},
                       {"draw", properties::name(spec.draw)},
                       {"sizes", spec.sizes},
                       {"first", spec.first},
                       {"step", spec.step},
                       {"scalars", spec.scalars}}},
                     {"seen", description}};
  // Under another name first, so that of two runs in one folder neither reads half a case.
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  const auto fail = [&] {
    throw std::system_error(error, "cannot write the failing case " + path.string());
  };
  if (error) fail();
  const std::filesystem::path part = path.string() + fmt::format(".{}.part", getpid());
  errno = 0;
  std::ofstream out(part);
  out << file.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
  const bool written = static_cast<bool>(out.flush());
  error = {written ? 0 : errno, std::generic_category()};
  out.close();
  if (written) std::filesystem::rename(part, path, error);
  if (!error && written) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  fail();
}

replayable read_failure(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path)) {
    throw unreadable_failure(fmt::format("cannot read {}: {}", path.string(),
                                         in ? "it is a folder" : std::strerror(errno)));
  }
  try {
    const json j = json::parse(in);
    if (j.at("schema") != schema) {
      throw std::runtime_error("its schema is not \"" + std::string(schema) + "\"");
    }
    replayable what;
    what.kernel = j.at("kernel").get<std::string>();
    what.plugin = j.at("plugin").get<std::string>();
    what.rule = j.at("rule").get<std::string>();
    what.law = j.at("law").get<std::string>();
    what.spec = spec_from(j.at("case"));
    return what;
  } catch (const json::parse_error& e) {
    throw unreadable_failure(fmt::format("{} is not a failure file: it is no JSON from byte {} on",
                                         path.string(), e.byte));
  } catch (const std::exception& e) {
    const std::string_view reason = e.what();
    const auto bracket = reason.starts_with("[json") ? reason.find("] ") + 2 : 0;
    throw unreadable_failure(
        fmt::format("{} is not a failure file: {}", path.string(), reason.substr(bracket)));
  }
}

}  // namespace driftgate::gate
