// Jobs for the test plugins' gradient descent, and what comes of them.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gate/host/host.hpp"

namespace driftgate::gate::host {

// The shared object made of plugins/NAME.cpp (main.cpp knows where).
kernel_source plugin_source(const std::string& name);

inline std::unique_ptr<properties::subject> open_plugin(const std::string& plugin,
                                                        const std::string& kernel) {
  return open(plugin_source(plugin), kernel);
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_of(const properties::role_data& data) {
  std::vector<T> values(data.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), data.bytes.data(), data.bytes.size());
  return values;
}

inline properties::step_arguments step_with(double lr, std::int64_t step = 1) {
  return {step, {{"lr", lr}}, 0, {}};
}

// p = 10, g = 1 in every element; each step takes lr = 1 off p.
inline properties::job descent(const std::vector<std::int64_t>& sizes, int steps = 1) {
  std::int64_t elements = 0;
  for (const std::int64_t size : sizes) elements += size;
  const auto n = static_cast<std::size_t>(elements);
  properties::job job;
  job.sizes = sizes;
  job.roles = {{"param", bytes_of(std::vector<float>(n, 10))},
               {"grad", bytes_of(std::vector<float>(n, 1))}};
  for (int k = 1; k <= steps; ++k) job.steps.push_back(step_with(1, k));
  return job;
}

inline properties::outcome run_one(properties::subject& kernel, const properties::job& job) {
  return kernel.run({&job, 1}).at(0);
}

inline std::vector<float> params(const properties::outcome& outcome) {
  return values_of<float>(outcome.roles.at(0));
}

}  // namespace driftgate::gate::host
