#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gate/bench/measure.hpp"
#include "gate/campaign.hpp"
#include "gate/device/device.hpp"
#include "gate/records/record.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/verbs.hpp"

namespace driftgate::gate::verbs {
namespace {

using nlohmann::json;

// Several times what any cache holds.
constexpr std::int64_t elements_on_device = std::int64_t{1} << 28;
constexpr std::int64_t elements_on_host = std::int64_t{1} << 24;

// Bytes that one element's update must move: the contract's word.
std::int64_t bytes_of(const properties::contract& promised) {
  const auto found = promised.budget.find("bytes");
  return found == promised.budget.end() ? 0 : found->second;
}

class measuring {
 public:
  explicit measuring(const bench_request& request) : request_(request) {}

  int run(const std::vector<const dg_kernel*>& kernels) {
    for (const std::string device : {"cuda", "cpu"}) {
      if (!request_.device.empty() && request_.device != device) continue;
      if (device == "cuda" && !device::missing().empty()) {
        if (request_.device == "cuda") {
          terminal::complain(device::missing());
          return nothing_verified;
        }
        continue;
      }
      const auto where = device == "cuda" ? bench::cuda_machine() : bench::host_machine();
      run_on(*where, device, kernels);
    }
    if (rows_.empty()) throw bad_request("there is no such kernel to measure");
    if (!request_.json.empty()) write();
    return all_verified;
  }

 private:
  void run_on(bench::machine& where, const std::string& device,
              const std::vector<const dg_kernel*>& kernels) {
    const std::int64_t elements = device == "cuda" ? elements_on_device : elements_on_host;
    const std::size_t copied = static_cast<std::size_t>(elements) * 8;
    const double bandwidth = 2.0 * static_cast<double>(copied) / bench::copy_seconds(where, copied);
    terminal::print(fmt::format("{}: a copy moves {:.1f} GB/s, read and written\n\n", where.name(),
                                bandwidth / 1e9));
    terminal::print(fmt::format("  {:<22} {:<22} {:>12} {:>10} {:>10} {:>8} {:>8}\n", "kernel",
                                "tensors", "elements", "step, us", "host, us", "GB/s", "of copy"));
    for (const dg_kernel* kernel : kernels) {
      if (kernel->device != device || !is_wanted(kernel->name)) continue;
      for (const kernel_under_test& k : kernels_of({}, {}, kernel->name)) {
        if (k.promised.device == device) measure(where, *kernel, k, bandwidth, elements);
      }
    }
  }

  bool is_wanted(const std::string& name) const {
    return request_.kernels.empty() || std::find(request_.kernels.begin(), request_.kernels.end(),
                                                 name) != request_.kernels.end();
  }

  void measure(bench::machine& where, const dg_kernel& kernel, const kernel_under_test& k,
               double bandwidth, std::int64_t elements) {
    for (const bench::workload& work : bench::workloads(elements)) {
      const bench::timing t = bench::time_steps(where, kernel, k.promised, k.about(), work);
      const double moved = static_cast<double>(bytes_of(k.promised) * work.elements()) / t.seconds;
      terminal::print(
          fmt::format("  {:<22} {:<22} {:>12} {:>10.1f} {:>10.1f} {:>8.1f} {:>6.1f} %\n",
                      kernel.name, work.name, terminal::grouped(work.elements()), t.seconds * 1e6,
                      t.host_seconds * 1e6, moved / 1e9, 100 * moved / bandwidth));
      rows_.push_back({{"kernel", kernel.name},
                       {"device", kernel.device},
                       {"machine", where.name()},
                       {"tensors", work.name},
                       {"elements", work.elements()},
                       {"bytes_an_element", bytes_of(k.promised)},
                       {"step_seconds", t.seconds},
                       {"host_seconds", t.host_seconds},
                       {"bytes_a_second", moved},
                       {"copy_bytes_a_second", bandwidth}});
    }
  }

  void write() const {
    std::ofstream out(request_.json);
    out << json{{"schema", "driftgate.bench/1"}, {"time", now()}, {"rows", rows_}}.dump(2) << "\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + request_.json);
  }

  const bench_request& request_;
  json rows_ = json::array();
};

}  // namespace

int bench(const bench_request& request, const std::vector<const dg_kernel*>& kernels) {
  return measuring(request).run(kernels);
}

}  // namespace driftgate::gate::verbs
