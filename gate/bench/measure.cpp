#include "gate/bench/measure.hpp"

#include <dlpack/dlpack.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "oracles/formats/format.hpp"

namespace driftgate::gate::bench {
namespace {

constexpr int warm_up = 3;
constexpr int repetitions = 20;
constexpr double enough_seconds = 1;  // of at least three repetitions
constexpr std::size_t alignment = 256;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool is_enough(const std::vector<double>& times) {
  return times.size() >= 3 && std::accumulate(times.begin(), times.end(), 0.0) > enough_seconds;
}

// The tensors of every role one after the other, and the step that works on them.
class arguments {
 public:
  arguments(machine& where, const properties::contract& promised, const rules::description& about,
            const workload& work) {
    step_.abi_version = DG_ABI_VERSION;
    step_.struct_bytes = sizeof step_;
    step_.step = 1000;
    step_.stream = where.stream();
    for (const rules::scalar& s : about.scalars) {
      if (s.name == rules::grad_scale || s.name == rules::found_inf) continue;
      scalars_.push_back({s.name.c_str(), about.is_option(s.name) ? 0.0 : s.usual});
    }
    for (const std::int64_t size : work.sizes) shapes_.push_back(size);
    device_ = promised.device == "cuda" ? kDLCUDA : kDLCPU;
    for (const rules::role& role : about.roles) {
      auto format = promised.dtypes.find(role.name);
      if (format == promised.dtypes.end()) format = promised.dtypes.find("param");
      const std::size_t width = formats::bytes(format->second);
      const bool is_bf16 = format->second == formats::format_id::bf16;
      add_list(role.name.c_str(), shapes_, is_bf16 ? kDLBfloat : kDLFloat, width);
    }
    for (const std::string& role : promised.scalar_roles) {
      if (role == "step") {
        add_list("step", single_, kDLInt, sizeof(std::int64_t));
      } else {
        add_list(role.c_str(), single_, kDLFloat, sizeof(float));
      }
    }
    for (std::size_t l = 0; l < lists_.size(); ++l) lists_[l].tensors = tensors_[l].data();
    step_.lists = lists_.data();
    step_.num_lists = static_cast<std::int32_t>(lists_.size());
    step_.scalars = scalars_.data();
    step_.num_scalars = static_cast<std::int32_t>(scalars_.size());
  }

  void place(machine& where, const dg_kernel& kernel) {
    step_.workspace_bytes = kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(&step_);
    std::byte* const memory = where.memory(bytes_ + step_.workspace_bytes);
    const std::size_t* offset = offsets_.data();
    for (auto& list : tensors_) {
      for (DLTensor& tensor : list) tensor.data = memory + *offset++;
    }
    step_.workspace = memory + bytes_;
    for (std::size_t l = 0; l < lists_.size(); ++l) fill_scalar_role(where, lists_[l]);
  }

  dg_step& step() { return step_; }

 private:
  void add_list(const char* role, std::vector<std::int64_t>& sizes, DLDataTypeCode code,
                std::size_t width) {
    std::vector<DLTensor>& list = tensors_.emplace_back();
    for (std::int64_t& size : sizes) {
      DLTensor tensor{};
      tensor.data = &unplaced_;
      offsets_.push_back(bytes_);
      tensor.device = {device_, 0};
      tensor.ndim = 1;
      tensor.dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * width), 1};
      tensor.shape = &size;
      list.push_back(tensor);
      bytes_ += (static_cast<std::size_t>(size) * width + alignment - 1) / alignment * alignment;
    }
    lists_.push_back({role, static_cast<std::int32_t>(sizes.size()), nullptr});
  }

  // What a step in the midst of training reads there.
  static void fill_scalar_role(machine& where, const dg_tensors& list) {
    if (rules::find_scalar_role(list.role) == nullptr) return;
    auto* const to = static_cast<std::byte*>(list.tensors->data);
    if (std::string_view(list.role) == "step") {
      constexpr std::int64_t taken = 1000;
      where.write(to, std::as_bytes(std::span(&taken, 1)));
    } else {
      const float value = std::string_view(list.role) == "found_inf" ? 0.0F : 0x1p-10F;
      where.write(to, std::as_bytes(std::span(&value, 1)));
    }
  }

  DLDeviceType device_ = kDLCPU;
  std::vector<std::int64_t> single_{1};
  std::vector<dg_scalar> scalars_;
  std::vector<std::int64_t> shapes_;
  std::vector<std::vector<DLTensor>> tensors_;
  std::vector<dg_tensors> lists_;
  std::vector<std::size_t> offsets_;  // of each tensor in the memory
  std::size_t bytes_ = 0;
  std::byte unplaced_{};  // where tensors lie while only sizes matter
  dg_step step_{};
};

void demand(const dg_kernel& kernel, int code, const char* what) {
  if (code == 0) return;
  const char* sentence = kernel.error == nullptr ? nullptr : kernel.error(code);
  throw std::runtime_error(fmt::format("{} of {} returned {}{}{}", what, kernel.name, code,
                                       sentence == nullptr ? "" : ": ",
                                       sentence == nullptr ? "" : sentence));
}

}  // namespace

double copy_seconds(machine& where, std::size_t bytes) {
  std::byte* const memory = where.memory(2 * bytes);
  std::vector<double> times;
  for (int i = 0; i < warm_up + repetitions && !is_enough(times); ++i) {
    const double seconds = where.seconds([&] { where.copy(memory + bytes, memory, bytes); });
    if (i >= warm_up) times.push_back(seconds);
  }
  return median(times);
}

timing time_steps(machine& where, const dg_kernel& kernel, const properties::contract& promised,
                  const rules::description& about, const workload& work) {
  arguments given(where, promised, about, work);
  given.place(where, kernel);
  void* plan = nullptr;
  if (kernel.prepare != nullptr) demand(kernel, kernel.prepare(&given.step(), &plan), "prepare");
  std::vector<double> device, host;
  for (int i = 0; i < warm_up + repetitions && !is_enough(device); ++i) {
    ++given.step().step;
    double returned = 0;
    int code = 0;
    const double seconds = where.seconds([&] {
      const auto start = std::chrono::steady_clock::now();
      code = kernel.step(&given.step(), plan);
      returned = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    demand(kernel, code, "step");
    if (i < warm_up) continue;
    device.push_back(seconds);
    host.push_back(returned);
  }
  if (kernel.release != nullptr) kernel.release(plan);
  return {median(device), median(host)};
}

}  // namespace driftgate::gate::bench
