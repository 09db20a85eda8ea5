#include "gate/host/placement.hpp"

#include <limits>
#include <utility>

#include "gate/host/shared_memory.hpp"

namespace driftgate::gate::host {
namespace {

// The last offset at or before `offset` that is `misalignment` off tensor_alignment.
std::size_t align_down(std::size_t offset, std::size_t misalignment) {
  return offset - (offset - misalignment) % tensor_alignment;
}

class placer {
 public:
  explicit placer(std::size_t begin) : cursor_(begin) {}

  void item_at(std::size_t begin, std::size_t bytes) {
    band_to(begin);
    result_.items.push_back({begin, begin + bytes});
    cursor_ = begin + bytes;
  }
  void fence_at(std::size_t page) {
    band_to(page);
    result_.pages.push_back(page);
    cursor_ = page + page_bytes();
  }
  std::size_t next_page(std::size_t room) const { return align_up(cursor_ + room, page_bytes()); }
  std::size_t cursor() const { return cursor_; }

  placement finish() {
    result_.end = next_page(guard_bytes);
    band_to(result_.end);
    return std::move(result_);
  }

 private:
  void band_to(std::size_t end) {
    if (cursor_ < end) result_.bands.push_back({cursor_, end});
  }

  std::size_t cursor_;
  placement result_;
};

}  // namespace

placement place(std::span<const item> items, fences where, std::size_t begin) {
  placer placer(begin);
  for (const item& it : items) {
    switch (where) {
      case fences::none:
        placer.item_at(align_up(placer.cursor() + guard_bytes, tensor_alignment) + it.misalignment,
                       it.bytes);
        break;
      case fences::before: {
        const std::size_t page = placer.next_page(guard_bytes);
        placer.fence_at(page);
        placer.item_at(page + page_bytes() + it.misalignment, it.bytes);
        break;
      }
      case fences::after: {
        const std::size_t page = placer.next_page(guard_bytes + tensor_alignment + it.bytes);
        const std::size_t start = page - it.bytes;
        placer.item_at(it.movable ? start : align_down(start, it.misalignment), it.bytes);
        placer.fence_at(page);
        break;
      }
    }
  }
  return placer.finish();
}

void fill_bands(const placement& place, const guard_pattern& pattern, std::byte* arena) {
  for (const extent& band : place.bands) pattern.fill(arena, band.begin, band.end);
}

std::vector<std::size_t> changed_bands(const placement& place, const guard_pattern& pattern,
                                       const std::byte* arena) {
  std::vector<std::size_t> changes;
  for (const extent& band : place.bands) {
    if (const auto change = pattern.first_change(arena, band.begin, band.end)) {
      changes.push_back(*change);
    }
  }
  return changes;
}

neighbour nearest(const placement& place, std::size_t offset) {
  neighbour best{0, std::numeric_limits<std::size_t>::max()};
  for (std::size_t i = 0; i < place.items.size(); ++i) {
    const extent& item = place.items[i];
    const std::size_t distance = offset < item.begin ? item.begin - offset
                                 : offset < item.end ? 0
                                                     : offset - item.end + 1;
    if (distance < best.distance) best = {i, distance};
  }
  return best;
}

}  // namespace driftgate::gate::host
