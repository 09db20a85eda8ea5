#include "gate/host/job_memory.hpp"

#include "gate/host/shared_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace driftgate::gate::host {
namespace {

using properties::stray_write;

void demand(bool holds, std::string_view what) {
  if (!holds) throw std::invalid_argument(fmt::format("a job with {}", what));
}

}  // namespace

job_memory::job_memory(const properties::job& job, const properties::contract& promised)
    : job_(&job), formats_(formats_of(job, promised)), scalars_(promised.scalar_roles) {
  demand(job.misalignment.empty() || job.misalignment.size() == job.roles.size(),
         "misalignments for other roles than it has");
  std::int64_t elements = 0;
  for (const std::int64_t size : job.sizes) {
    demand(size >= 0, "a negative size");
    elements += size;
  }
  for (std::size_t r = 0; r < job.roles.size(); ++r) {
    const auto& [role, bytes] = job.roles[r];
    const std::size_t element_bytes = formats::bytes(formats_[r].format);
    const std::size_t expected = static_cast<std::size_t>(elements) * element_bytes;
    demand(bytes.size() == expected, "role \"" + role + "\" of another size");
    for (const auto& step : job.steps) {
      for (const auto& renewed : step.renewed) {
        demand(renewed.role != role || renewed.bytes.size() == expected,
               "new contents of another size");
      }
    }
    if (!job.misalignment.empty()) {
      demand(job.misalignment[r] < tensor_alignment && job.misalignment[r] % element_bytes == 0,
             "a misalignment that is no multiple of the element's size below 256");
    }
  }
}

void job_memory::place(fences where, std::uint64_t workspace_bytes, std::size_t& cursor) {
  std::vector<item> items;
  for (std::size_t r = 0; r < job_->roles.size(); ++r) {
    const std::size_t misalignment = job_->misalignment.empty() ? 0 : job_->misalignment[r];
    for (const std::int64_t size : job_->sizes) {
      items.push_back({static_cast<std::size_t>(size) * formats::bytes(formats_[r].format),
                       misalignment, misalignment == 0});
    }
  }
  for (const scalar_tensor& scalar : scalars_.all()) items.push_back({scalar.bytes(), 0, true});
  items.push_back({workspace_bytes, 0, false});

  places_.clear();
  fenced_ = where != fences::none;
  const bool resumes = job_->resume_after > 0 && job_->resume_after <= job_->steps.size();
  for (int i = 0; i < (resumes ? 2 : 1); ++i) {
    places_.push_back(host::place(items, where, cursor));
    cursor = places_.back().end;
  }
}

void job_memory::write_layouts(word_writer& script, std::size_t kernel) {
  layouts_.clear();
  for (const placement& place : places_) {
    layouts_.push_back(script.words().size());
    write_layout(script, kernel, place, job_->sizes, formats_, scalars_.all());
  }
  if (job_->before == properties::decoy::none) return;
  // In the other gradient's place the parameter will do: nobody steps this plan.
  placement decoy = places_[0];
  const std::size_t count = job_->sizes.size();
  const auto list_of = [&](std::string_view role) {
    for (std::size_t r = 0; r < formats_.size(); ++r) {
      if (formats_[r].role == role)
        return decoy.items.begin() + static_cast<std::ptrdiff_t>(r * count);
    }
    return decoy.items.end();
  };
  const auto gradient = list_of("grad"), other = list_of("param");
  if (job_->before == properties::decoy::other_gradient && gradient != decoy.items.end()) {
    std::copy_n(other, count, gradient);
  }
  decoy_layout_ = script.words().size();
  write_layout(script, kernel, decoy, job_->sizes, formats_, scalars_.all());
}

void job_memory::fill(std::byte* arena, const guard_pattern& pattern) {
  for (const placement& place : places_) {
    fill_bands(place, pattern, arena);
    pattern.fill(arena, place.items.back().begin, place.items.back().end);
  }
  for (std::size_t r = 0; r < job_->roles.size(); ++r) copy_in(arena, r, job_->roles[r].bytes);
  if (!job_->steps.empty()) set_scalars(arena, job_->steps.front());
}

void job_memory::set_scalars(std::byte* arena, const properties::step_arguments& next) {
  scalars_.set(next, [&](std::size_t i, std::span<const std::byte> bytes) {
    std::memcpy(arena + scalar_item(i).begin, bytes.data(), bytes.size());
  });
}

bool job_memory::is_renewed_by(const properties::step_arguments& next) const {
  return !next.renewed.empty() || scalars_.would_change(next);
}

void job_memory::renew(std::byte* arena, const properties::step_arguments& next) {
  set_scalars(arena, next);
  for (const properties::role_data& renewed : next.renewed) {
    for (std::size_t r = 0; r < job_->roles.size(); ++r) {
      if (job_->roles[r].role == renewed.role) copy_in(arena, r, renewed.bytes);
    }
  }
}

void job_memory::copy_in(std::byte* arena, std::size_t role,
                         std::span<const std::byte> bytes) const {
  const extent* item = &places_[current_].items[role * job_->sizes.size()];
  for (std::size_t i = 0, at = 0; i < job_->sizes.size(); at += item->bytes(), ++i, ++item) {
    // memcpy wants valid pointers even for nothing.
    if (item->bytes() > 0) std::memcpy(arena + item->begin, &bytes[at], item->bytes());
  }
}

void job_memory::move(std::byte* arena, const guard_pattern& pattern) {
  const placement& from = places_[0];
  const placement& to = places_[1];
  for (std::size_t i = 0; i < tensors(); ++i) {
    std::memcpy(arena + to.items[i].begin, arena + from.items[i].begin, from.items[i].bytes());
  }
  // The contents of a workspace are undefined at prepare: what the last plan left there is one
  // case.
  const extent& old = from.items.back();
  if (old.bytes() > 0) std::memcpy(arena + to.items.back().begin, arena + old.begin, old.bytes());
  retire(arena, pattern);
  current_ = 1;
}

void job_memory::take(std::byte* arena, const guard_pattern& pattern) {
  taken_ = contents(arena);
  retire(arena, pattern);
}

// The tensors become bands; the workspace stays the kernel's until its release.
void job_memory::retire(std::byte* arena, const guard_pattern& pattern) {
  placement& place = places_[current_];
  // What is in the bands stays, so that a change before this moment is still seen.
  const std::span items(place.items.data(), tensors());
  for (const extent& item : items) pattern.fill(arena, item.begin, item.end);
  place.bands.insert(place.bands.end(), items.begin(), items.end());
}

void job_memory::append_pages(std::vector<std::size_t>& pages) const {
  for (const placement& place : places_) {
    pages.insert(pages.end(), place.pages.begin(), place.pages.end());
  }
}

bool job_memory::is_read_only(std::size_t tensor) const {
  if (tensor >= in_lists()) return !scalars_.all()[tensor - in_lists()].is_counter();
  return formats_[tensor / job_->sizes.size()].role == "grad";
}

void job_memory::append_read_only(std::vector<extent>& pages) const {
  if (!fenced_) return;
  for (const placement& place : places_) {
    for (std::size_t i = 0; i < tensors(); ++i) {
      if (!is_read_only(i) || place.items[i].bytes() == 0) continue;
      pages.push_back({place.items[i].begin / page_bytes() * page_bytes(),
                       align_up(place.items[i].end, page_bytes())});
    }
  }
}

std::vector<properties::role_data> job_memory::contents(const std::byte* arena) const {
  if (taken_) return *taken_;
  std::vector<properties::role_data> roles;
  const extent* item = places_[current_].items.data();
  for (const auto& [role, bytes] : job_->roles) {
    properties::role_data data{role, {}};
    data.bytes.reserve(bytes.size());
    for (std::size_t i = 0; i < job_->sizes.size(); ++i, ++item) {
      data.bytes.insert(data.bytes.end(), arena + item->begin, arena + item->end);
    }
    roles.push_back(std::move(data));
  }
  return roles;
}

std::vector<stray_write> job_memory::stray_writes(const std::byte* arena,
                                                  const guard_pattern& pattern) const {
  std::vector<stray_write> writes;
  for (const placement& place : places_) {
    for (const std::size_t offset : changed_bands(place, pattern, arena)) {
      writes.push_back(locate(place, offset).as_write);
    }
  }
  return writes;
}

std::vector<stray_write> job_memory::early_writes(const std::byte* arena,
                                                  const guard_pattern& pattern) const {
  std::vector<stray_write> writes = stray_writes(arena, pattern);
  const extent* item = places_[current_].items.data();
  for (const auto& [role, bytes] : job_->roles) {
    for (std::size_t i = 0, at = 0; i < job_->sizes.size(); at += item->bytes(), ++i, ++item) {
      const std::span given(bytes.data() + at, item->bytes());
      const auto change = std::mismatch(given.begin(), given.end(), arena + item->begin).first;
      if (change != given.end()) writes.push_back({role, i, change - given.begin()});
    }
  }
  return writes;
}

std::optional<std::pair<std::string, std::string>> job_memory::wrong_scalar(
    const std::byte* arena) const {
  return scalars_.wrong([&](std::size_t i, std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), arena + scalar_item(i).begin, bytes.size());
  });
}

job_memory::location job_memory::locate(std::size_t offset) const {
  location best = locate(places_[0], offset);
  if (places_.size() > 1) {
    const location other = locate(places_[1], offset);
    if (other.distance < best.distance) best = other;
  }
  return best;
}

job_memory::location job_memory::locate(const placement& place, std::size_t offset) const {
  const neighbour near = nearest(place, offset);
  const extent& item = place.items[near.item];
  location found;
  found.bytes = item.bytes();
  found.distance = near.distance;
  found.as_write.offset = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(item.begin);
  if (near.item == tensors()) {
    found.as_write.role = "workspace";
  } else if (near.item >= in_lists()) {
    found.as_write.role = scalars_.all()[near.item - in_lists()].role;
  } else {
    found.as_write.role = job_->roles[near.item / job_->sizes.size()].role;
    found.as_write.tensor = near.item % job_->sizes.size();
  }
  return found;
}

}  // namespace driftgate::gate::host
