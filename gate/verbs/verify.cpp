#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gate/campaign.hpp"
#include "gate/device/device.hpp"
#include "gate/records/record_file.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/run.hpp"
#include "gate/verbs/verbs.hpp"

namespace driftgate::gate::verbs {
namespace {

// Every kernel of the tree is CUDA source: a program that was built without a device's half still
// has the kernel to answer for, and says that it was skipped.
void add_missing_device_halves(std::vector<kernel_under_test>& kernels) {
  std::vector<kernel_under_test> missing;
  for (const kernel_under_test& host : kernels) {
    if (host.promised.device != "cpu") continue;
    const bool there = std::any_of(kernels.begin(), kernels.end(), [&](const auto& k) {
      return k.promised.name == host.promised.name && k.promised.device == "cuda";
    });
    if (there) continue;
    missing.push_back(host);
    missing.back().promised.device = "cuda";
    missing.back().skipped = device::missing();
  }
  kernels.insert(kernels.end(), missing.begin(), missing.end());
}

std::vector<kernel_under_test> selected(const verify_request& request) {
  std::vector<kernel_under_test> chosen;
  const auto names = request.kernels.empty() ? std::vector<std::string>{""} : request.kernels;
  for (const std::string& name : names) {
    for (auto& k : kernels_of({}, {}, name)) chosen.push_back(std::move(k));
  }
  if (request.device == "all" || request.device == "cuda") add_missing_device_halves(chosen);
  std::erase_if(chosen, [&](const kernel_under_test& k) {
    if (request.device.empty()) return !k.skipped.empty();
    return request.device != "all" && k.promised.device != request.device;
  });
  return chosen;
}

// Of the records in the folder. Says so if it cannot be made.
bool make_page(const std::filesystem::path& out) {
  report_request page;
  page.folders = {out.string()};
  page.out = (out / "report").string();
  try {
    const int code = report(page);
    if (code == all_verified) return true;
    terminal::complain(fmt::format("no page: its program ended with exit code {}", code));
  } catch (const std::exception& e) {
    terminal::complain(e.what());
  }
  return false;
}

}  // namespace

int verify(const verify_request& request) {
  if (request.require == "cuda" && !device::missing().empty()) {
    terminal::complain(device::missing());
    return nothing_verified;
  }
  run_plan plan;
  plan.command = request.command;
  plan.kernels = selected(request);
  plan.how.settings.depth = request.depth;
  plan.how.settings.seed = request.seed;
  plan.how.failures = request.out / "failures";
  plan.verbose = request.verbose;
  plan.kept_in = (request.out / "records.jsonl").string();
  record_file records(plan.kept_in);
  plan.record = [&](const nlohmann::json& record) { records.write(record); };
  terminal::print(fmt::format("driftgate verify: {} kernel{}, level {}, seed {}\n",
                              plan.kernels.size(), plan.kernels.size() == 1 ? "" : "s",
                              level_name(request.depth), request.seed));

  const run_end end = run_all(plan);

  if (!end.error.empty()) terminal::complain(end.error);
  if (request.page && end.code <= nothing_verified && !make_page(request.out)) return suite_failed;
  return end.code;
}

}  // namespace driftgate::gate::verbs
