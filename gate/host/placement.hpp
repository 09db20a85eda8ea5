// Where a job's tensors lie in the arena, and what lies between them. All offsets are bytes from
// the arena's start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gate/host/guard_pattern.hpp"

namespace driftgate::gate::host {

// On each side of every tensor, unless a fence is nearer.
inline constexpr std::size_t guard_bytes = 128;
// What a tensor's misalignment counts from, and the workspace's alignment.
inline constexpr std::size_t tensor_alignment = 256;

struct extent {
  std::size_t begin = 0, end = 0;

  std::size_t bytes() const { return end - begin; }
};

// What is to be placed: a tensor or a workspace.
struct item {
  std::size_t bytes = 0;
  std::size_t misalignment = 0;  // from tensor_alignment
  // May lie `misalignment` off any boundary of its element, so that it can end where a page ends.
  bool movable = false;
};

// Pages that the child must not touch: none, or one right before or right after every item.
enum class fences { none, before, after };

struct placement {
  std::vector<extent> items;
  std::vector<extent> bands;       // everything else that the child can write
  std::vector<std::size_t> pages;  // the fences
  std::size_t end = 0;             // a multiple of the page
};

// Places the items from `begin`, a multiple of the page, on.
placement place(std::span<const item> items, fences where, std::size_t begin);

void fill_bands(const placement& place, const guard_pattern& pattern, std::byte* arena);

// The first change of each band.
std::vector<std::size_t> changed_bands(const placement& place, const guard_pattern& pattern,
                                       const std::byte* arena);

// The item nearest to an offset, and how far it is. There must be an item.
struct neighbour {
  std::size_t item = 0;
  std::size_t distance = 0;
};
neighbour nearest(const placement& place, std::size_t offset);

}  // namespace driftgate::gate::host
