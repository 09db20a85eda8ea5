// The lists of tensors that benchmarks step: what optimizers meet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace driftgate::gate::bench {

struct workload {
  std::string name;
  std::vector<std::int64_t> sizes;  // elements of each tensor

  std::int64_t elements() const;
};

// One tensor of so many elements; the 148 tensors of GPT-2 (124 M); 2000 tensors of 1024.
std::vector<workload> workloads(std::int64_t elements_of_one);

}  // namespace driftgate::gate::bench
