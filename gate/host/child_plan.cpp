#include "gate/host/child_plan.hpp"

#include <algorithm>

#include "gate/host/guarded.hpp"
#include "gate/host/passed_arguments.hpp"

namespace driftgate::gate::host {
child_plan::child_plan(const std::vector<dg_kernel>& kernels, word_reader layout, std::byte* arena,
                       device::guest* on_device)
    : kernel_(&kernels.at(layout.number())), on_device_(on_device) {
  const auto pointer = [&](std::uint64_t offset) {
    return offset == no_data ? nullptr : arena + offset;
  };
  step_.workspace = pointer(layout.number());
  step_.workspace_bytes = layout.number();

  const std::uint64_t num_lists = layout.number();
  const auto sizes = layout.numbers(layout.number());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    shapes_.emplace_back(static_cast<std::int64_t>(sizes[i]), i + sizes[i]);
  }
  shapes_.emplace_back(1, sizes.size());  // of the roles of one element
  const std::uint64_t num_scalar_lists = layout.number();
  tensors_.reserve(num_lists * sizes.size() + num_scalar_lists);
  const auto read_list = [&](std::size_t count, shape* shapes) {
    const char* role = layout.text();
    const std::uint64_t type = layout.number();
    const std::uint64_t bits = layout.number();
    const auto offsets = layout.numbers(count);
    DLTensor* const first = tensors_.data() + tensors_.size();
    for (std::size_t i = 0; i < count; ++i) {
      DLTensor tensor{};
      tensor.data = pointer(offsets[i]);
      tensor.device = {on_device == nullptr ? kDLCPU : kDLCUDA, 0};
      tensor.ndim = static_cast<std::int32_t>(shapes[i].rank);
      tensor.dtype = {static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(bits), 1};
      tensor.shape = shapes[i].extents.data();
      tensors_.push_back(tensor);
    }
    lists_.push_back({role, static_cast<std::int32_t>(count), first});
  };
  for (std::uint64_t list = 0; list < num_lists; ++list) read_list(sizes.size(), shapes_.data());
  for (std::uint64_t list = 0; list < num_scalar_lists; ++list) read_list(1, &shapes_.back());
  // Roles come in any order.
  if (sizes.size() % 2 == 0) {
    std::rotate(lists_.begin(), lists_.begin() + static_cast<std::ptrdiff_t>(num_lists),
                lists_.end());
  }
  step_.abi_version = DG_ABI_VERSION;
  step_.struct_bytes = sizeof(dg_step);
  step_.num_lists = static_cast<std::int32_t>(lists_.size());
  if (on_device != nullptr) step_.stream = on_device->stream();
}

void child_plan::set(word_reader arguments) {
  step_.step = static_cast<std::int64_t>(arguments.number());
  step_.seed = arguments.number();
  scalars_.resize(arguments.number());
  for (dg_scalar& scalar : scalars_) {
    scalar.value = arguments.real();
    scalar.name = arguments.text();
  }
  step_.num_scalars = static_cast<std::int32_t>(scalars_.size());
}

template <class Call>
auto child_plan::pass(const Call& call) {
  const passed_arguments given(step_, lists_, tensors_, shapes_, scalars_);
  const auto result = guarded([&] { return call(given.step()); });
  arguments_kept_ = given.intact();
  return result;
}

std::uint64_t child_plan::measure(word_reader arguments) {
  set(arguments);
  if (kernel_->workspace_bytes == nullptr) return 0;
  return pass([&](const dg_step* step) { return kernel_->workspace_bytes(step); });
}

int child_plan::prepare(word_reader arguments) {
  set(arguments);
  if (kernel_->prepare == nullptr) return 0;
  return pass([&](const dg_step* step) { return kernel_->prepare(step, &handle_); });
}

int child_plan::step(word_reader arguments, properties::calling how, device::observation& seen) {
  set(arguments);
  if (on_device_ != nullptr && how == properties::calling::held) return step_held(seen);
  if (on_device_ != nullptr && how == properties::calling::captured) return step_captured(seen);
  return call_step();
}

int child_plan::call_step() {
  return pass([&](const dg_step* step) { return kernel_->step(step, handle_); });
}

int child_plan::step_held(device::observation& seen) {
  on_device_->hold();
  const int code = call_step();
  seen = on_device_->look();
  on_device_->release();
  return code;
}

int child_plan::step_captured(device::observation& seen) {
  if (!graph_) {
    on_device_->begin_capture();
    const int code = call_step();
    try {
      graph_ = on_device_->end_capture();
    } catch (const device::failure& failure) {
      // A kernel that noticed says so by its code.
      if (code != 0) return code;
      throw uncapturable(failure.what());
    }
    if (code != 0) return code;
  }
  seen = graph_->nodes;
  on_device_->launch(*graph_);
  return 0;
}

void child_plan::release() {
  if (kernel_->release != nullptr) guarded([&] { kernel_->release(handle_); });
}

}  // namespace driftgate::gate::host
