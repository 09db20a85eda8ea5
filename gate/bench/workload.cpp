#include "gate/bench/workload.hpp"

#include <numeric>

namespace driftgate::gate::bench {
namespace {

// Radford et al., "Language Models are Unsupervised Multitask Learners": 12 layers, width 768,
// 50 257 tokens, 1024 positions; the output layer shares the embedding's weights.
std::vector<std::int64_t> gpt2() {
  constexpr std::int64_t width = 768;
  std::vector<std::int64_t> sizes{50'257 * width, 1024 * width};
  for (int layer = 0; layer < 12; ++layer) {
    sizes.insert(sizes.end(),
                 {width, width, width * 3 * width, 3 * width, width * width, width, width, width,
                  width * 4 * width, 4 * width, 4 * width * width, width});
  }
  sizes.insert(sizes.end(), {width, width});
  return sizes;
}

}  // namespace

std::int64_t workload::elements() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

std::vector<workload> workloads(std::int64_t elements_of_one) {
  return {{"one tensor", {elements_of_one}},
          {"GPT-2, 148 tensors", gpt2()},
          {"2000 tensors of 1024", std::vector<std::int64_t>(2000, 1024)}};
}

}  // namespace driftgate::gate::bench
