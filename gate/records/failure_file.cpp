#include "gate/records/failure_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace driftgate::gate {
namespace {

using json = nlohmann::json;
constexpr const char* schema = "driftgate.failure/1";
// Of a case that a file may ask for, and of its tensors: more than the largest list that is ever
// generated, some of 70 000 elements and one of a million (properties/gen, properties/laws).
constexpr std::int64_t most_elements = std::int64_t{1} << 22;

// A NaN with its payload where the format has the float's.
std::string bits_of(formats::format_id format, float x) {
  const std::uint64_t bits = format == formats::format_id::f32 ? std::bit_cast<std::uint32_t>(x)
                                                               : formats::encode(format, x);
  return fmt::format("0x{:0{}x}", bits, 2 * formats::bytes(format));
}

// Shortest decimal that reads back to the same bits.
json bits_and_value(formats::format_id format, float x) {
  return {{"value", fmt::format("{}", x)}, {"bits", bits_of(format, x)}};
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

// The library's own conversion would cast 1.5, 1e300, -1 or true to T.
template <class T>
T whole(const json& j) {
  const bool fits = j.is_number_unsigned()  ? std::in_range<T>(j.get<std::uint64_t>())
                    : j.is_number_integer() ? std::in_range<T>(j.get<std::int64_t>())
                                            : false;
  if (!fits) throw std::runtime_error(j.dump() + " stands where a whole number has to");
  return j.get<T>();
}

properties::case_spec spec_from(const json& j) {
  properties::case_spec spec;
  spec.seed = whole<std::uint64_t>(j.at("seed"));
  spec.first = whole<std::uint64_t>(j.at("first"));
  spec.step = whole<std::int64_t>(j.at("step"));
  if (spec.step < 1) throw std::runtime_error("the step is below 1");
  for (const json& size : j.at("sizes").get_ref<const json::array_t&>()) {
    spec.sizes.push_back(whole<std::int64_t>(size));
  }
  spec.scalars = j.at("scalars").get<std::map<std::string, double>>();
  const auto draw = j.at("draw").get<std::string>();
  bool known = false;
  for (std::uint32_t d = 0; d < properties::distribution_count; ++d) {
    if (draw != properties::name(static_cast<properties::distribution>(d))) continue;
    spec.draw = static_cast<properties::distribution>(d);
    known = true;
  }
  if (!known) throw std::runtime_error("unknown distribution \"" + draw + "\"");
  if (spec.sizes.size() > most_elements) throw std::runtime_error("the sizes are too many");
  std::int64_t total = 0;
  for (const std::int64_t n : spec.sizes) {
    if (n < 0 || n > most_elements || (total += n) > most_elements) {
      throw std::runtime_error("the sizes are negative or beyond 2^22 elements");
    }
  }
  return spec;
}

std::error_code write_text(const std::filesystem::path& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path);
  out << text;
  if (out.flush()) return {};
  return {errno != 0 ? errno : EIO, std::generic_category()};
}

}  // namespace

json describe_failure(const properties::failing_case& failure, const rules::description& rule,
                      const std::string& stage) {
  const properties::case_spec& spec = failure.step();
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
            {"allowed_range", json::array()},
            {"format", ""},
            {"ratio", nullptr}};
  if (!j["allowed_values"].empty()) j["exact"] = j["allowed"] = "";
  if (!v.judged.least.empty()) j["allowed_range"] = {v.judged.least, v.judged.greatest};
  const rules::role* output = rule.find_role(v.output);
  const formats::format_id format = output ? output->format : formats::format_id::f32;
  if (output) j["format"] = std::string(formats::name(format));
  if (!v.element) return j;
  const auto [tensor, element] = place(spec.sizes, *v.element);
  j["tensor"] = tensor;
  j["element"] = element;
  const auto data = failure.inputs(rule);
  json inputs = json::object();
  for (std::size_t r = 0; r < data.roles.size(); ++r) {
    const std::string& option = rule.roles[r].option;
    if (!option.empty() && spec.scalars.at(option) == 0) continue;
    inputs[data.roles[r]] = bits_and_value(data.formats[r], data.data[r].at(*v.element));
  }
  j["inputs"] = inputs;
  j["got"] = fmt::format("{}", v.got);
  j["got_bits"] = bits_of(format, v.got);
  if (!v.judged.exact.empty() && std::isfinite(v.judged.ratio)) j["ratio"] = v.judged.ratio;
  return j;
}

void write_failure(const std::filesystem::path& path, const replayable& what,
                   const json& description) {
  const properties::case_spec& spec = what.spec;
  const json file = {{"schema", schema},
                     {"kernel", what.kernel},
                     {"device", what.device},
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
  const std::string text = file.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  // Under another name first, so that of two runs in one folder neither reads half a case.
  const std::filesystem::path part = path.string() + fmt::format(".{}.part", getpid());
  if (!error) error = write_text(part, text);
  std::error_code ignored;
  if (!error) {
    std::filesystem::rename(part, path, error);
  } else if (!std::filesystem::remove(part, ignored) && std::filesystem::exists(path, ignored)) {
    error = write_text(path, text);  // a folder that takes no other file may still take this one
  }
  if (error) throw std::system_error(error, "cannot write the failing case " + path.string());
}

replayable read_failure(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream in(path);
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored)) {
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
    what.device = j.value("device", "cpu");
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
