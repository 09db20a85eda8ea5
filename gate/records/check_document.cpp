#include "gate/records/check_document.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "gate/campaign.hpp"

namespace driftgate::gate {
namespace {

using json = nlohmann::json;

// One word for the exit code.
const char* overall(int exit_code) {
  switch (exit_code) {
    case all_verified:
      return "verified";
    case divergence:
      return "failed";
    case bad_usage:
      return "unusable";
    case nothing_verified:
      return "not_verified";
    case suite_failed:
      return "suite_failed";
    default:
      return "stopped";
  }
}

// Of a kernel whose laws gave these: the first failure's, else what is least verified.
std::string verdict_of(const json& kernel, const json& results) {
  std::string best = "skipped";
  bool ill_posed = false;
  for (const json& r : results) {
    if (r.at("kernel") != kernel.at("name") || r.at("device") != kernel.at("device")) continue;
    auto word = r.at("verdict").get<std::string>();
    const properties::verdict verdict = properties::find_verdict(word).value();
    if (is_failure(verdict)) return word;
    if (verdict == properties::verdict::verified) best = word;
    ill_posed = ill_posed || verdict == properties::verdict::ill_posed;
  }
  return ill_posed ? "ill_posed" : best;
}

}  // namespace

check_document::check_document(const std::string& plugin)
    : document_{{"schema", "driftgate.check/1"}, {"plugin", plugin},
                {"kernels", json::array()},      {"run", nullptr},
                {"results", json::array()},      {"end", nullptr}} {}

void check_document::add_kernel(const properties::contract& promised, const std::string& skipped) {
  document_["kernels"].push_back({{"name", promised.name},
                                  {"rule", promised.rule},
                                  {"device", promised.device},
                                  {"contract", contract_record(promised)},
                                  {"unverified", properties::unverified_promises(promised)},
                                  {"skipped", skipped.empty() ? json(nullptr) : json(skipped)}});
}

void check_document::add_record(const json& record) {
  const auto type = record.at("type").get<std::string>();
  if (type == "result") {
    document_["results"].push_back(record);
  } else {
    document_[type] = record;
  }
}

json check_document::finished(int exit_code, const std::string& error) const {
  json whole = document_;
  for (json& kernel : whole["kernels"]) kernel["verdict"] = verdict_of(kernel, whole["results"]);
  whole["exit"] = exit_code;
  whole["verdict"] = overall(exit_code);
  whole["error"] = error.empty() ? json(nullptr) : json(error);
  return whole;
}

void write_document(const std::string& where, const json& document) {
  const std::string text = document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  const bool standard = where == "-";
  std::FILE* file = standard ? stdout : std::fopen(where.c_str(), "w");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  written = file != nullptr && std::fflush(file) == 0 && written;
  const int error = errno;
  if (file != nullptr && !standard) std::fclose(file);
  if (!written) {
    throw std::system_error(error, std::generic_category(),
                            standard ? "cannot write to standard output" : "cannot write " + where);
  }
}

}  // namespace driftgate::gate
