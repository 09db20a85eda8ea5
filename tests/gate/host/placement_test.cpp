#include "gate/host/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gate/host/shared_memory.hpp"

namespace driftgate::gate::host {
namespace {

const std::vector<item> some_items{{20, 0, true}, {4096, 4, false}, {0, 0, true}, {4, 0, false}};

// Every byte from 0 to the end, in order: what covers it.
std::vector<extent> sorted_parts(const placement& place) {
  std::vector<extent> parts = place.bands;
  parts.insert(parts.end(), place.items.begin(), place.items.end());
  for (const std::size_t page : place.pages) parts.push_back({page, page + page_bytes()});
  std::sort(parts.begin(), parts.end(), [](const extent& a, const extent& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  return parts;
}

TEST(Placement, EveryByteIsATensorABandOrAFence) {
  for (const fences where : {fences::none, fences::before, fences::after}) {
    const placement place = host::place(some_items, where, 0);
    std::size_t at = 0;
    for (const extent& part : sorted_parts(place)) {
      EXPECT_EQ(part.begin, at);
      at = part.end;
    }
    EXPECT_EQ(at, place.end);
    EXPECT_EQ(place.end % page_bytes(), 0u);
  }
}

TEST(Placement, WithoutFencesABandOf128BytesIsOnEachSide) {
  const placement place = host::place(some_items, fences::none, 0);

  std::size_t before = 0;
  for (const extent& item : place.items) {
    EXPECT_GE(item.begin, before + guard_bytes);
    before = item.end;
  }
  EXPECT_GE(place.end, before + guard_bytes);
}

TEST(Placement, MisalignmentCountsFrom256Bytes) {
  for (const fences where : {fences::none, fences::before, fences::after}) {
    const placement place = host::place(some_items, where, 0);
    EXPECT_EQ(place.items[1].begin % tensor_alignment, 4u);
    EXPECT_EQ(place.items[3].begin % tensor_alignment, 0u);
  }
}

TEST(Placement, AnAlignedTensorTouchesItsFence) {
  const placement after = host::place(some_items, fences::after, 0);
  const placement before = host::place(some_items, fences::before, 0);

  for (const std::size_t i : {0, 2}) {
    EXPECT_EQ(after.items[i].end, after.pages[i]);
    EXPECT_EQ(before.items[i].begin, before.pages[i] + page_bytes());
  }
}

TEST(Placement, TheFirstChangeOfABandIsFound) {
  placement place = host::place(some_items, fences::none, 0);
  guard_pattern pattern(1);
  std::vector<std::byte> arena(place.end);
  for (int run = 0; run < 3; ++run) {
    pattern.renew();
    fill_bands(place, pattern, arena.data());
    EXPECT_TRUE(changed_bands(place, pattern, arena.data()).empty());

    const std::size_t victim = place.items[1].end + 9;
    arena[victim] ^= std::byte{1};
    EXPECT_EQ(changed_bands(place, pattern, arena.data()), std::vector<std::size_t>{victim});
    EXPECT_EQ(nearest(place, victim).item, 1u);
  }
}

TEST(Placement, TheNextRunsPatternIsAnother) {
  guard_pattern pattern(1);
  std::vector<std::byte> memory(256);
  pattern.renew();
  pattern.fill(memory.data(), 0, memory.size());
  pattern.renew();

  EXPECT_TRUE(pattern.first_change(memory.data(), 0, memory.size()).has_value());
}

}  // namespace
}  // namespace driftgate::gate::host
