// One plan in the child: the arguments of its calls, made from a layout in the script.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "driftgate/kernel.h"
#include "gate/device/device.hpp"
#include "gate/host/protocol.hpp"
#include "gate/host/shape.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

// A step cannot become part of a graph.
struct uncapturable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class child_plan {
 public:
  // `layout` (session.cpp writes it) must outlive the plan; offsets in it count from `arena`.
  child_plan(const std::vector<dg_kernel>& kernels, word_reader layout, std::byte* arena,
             device::guest* on_device);
  child_plan(child_plan&&) = default;
  child_plan& operator=(child_plan&&) = default;

  std::uint64_t measure(word_reader arguments);
  int prepare(word_reader arguments);
  // On a device says what was seen, too. Throws uncapturable.
  int step(word_reader arguments, properties::calling how, device::observation& seen);
  void release();

  // Whether the last call left what it was given alone.
  bool arguments_kept() const { return arguments_kept_; }

 private:
  template <class Call>
  auto pass(const Call& call);
  int call_step();
  int step_held(device::observation& seen);
  int step_captured(device::observation& seen);

  // The arguments must outlive the call: scalars' names point into them.
  void set(word_reader arguments);

  const dg_kernel* kernel_ = nullptr;
  std::vector<shape> shapes_;      // of each index in the lists, and of one element
  std::vector<DLTensor> tensors_;  // list after list
  std::vector<dg_tensors> lists_;
  std::vector<dg_scalar> scalars_;
  dg_step step_{};
  bool arguments_kept_ = true;
  void* handle_ = nullptr;
  device::guest* on_device_ = nullptr;
  std::unique_ptr<device::guest::graph> graph_;
};

}  // namespace driftgate::gate::host
