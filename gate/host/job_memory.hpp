// One job's part of the arena: where its tensors lie, what goes in, what comes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gate/host/guard_pattern.hpp"
#include "gate/host/layout.hpp"
#include "gate/host/placement.hpp"
#include "gate/host/protocol.hpp"
#include "gate/host/scalar_tensors.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

class job_memory {
 public:
  // The job must outlive it. Throws std::invalid_argument if the job does not fit the contract or
  // itself.
  job_memory(const properties::job& job, const properties::contract& promised);

  // Takes memory from `cursor`, a multiple of the page, on, and moves the cursor behind it. A job
  // that resumes gets a second place.
  void place(fences where, std::uint64_t workspace_bytes, std::size_t& cursor);
  // The places as child_plan reads them.
  void write_layouts(word_writer& script, std::size_t kernel);

  // The job's contents, the bands around them, and poison in the workspace.
  void fill(std::byte* arena, const guard_pattern& pattern);
  // What is new before a step, and whether anything is.
  void renew(std::byte* arena, const properties::step_arguments& next);
  bool is_renewed_by(const properties::step_arguments& next) const;
  void count(const properties::step_arguments& done) { scalars_.count(done); }
  // Everything to the second place; nobody may write to the first one any longer.
  void move(std::byte* arena, const guard_pattern& pattern);
  // The results, as the last step left them; nobody may write to the tensors any longer, release
  // included.
  void take(std::byte* arena, const guard_pattern& pattern);

  // The word in the script where the current place's layout begins.
  std::uint64_t layout() const { return layouts_[current_]; }
  std::uint64_t decoy_layout() const { return decoy_layout_; }
  std::size_t tensors() const { return in_lists() + scalars_.all().size(); }
  void append_pages(std::vector<std::size_t>& pages) const;
  // Where fences keep tensors apart: the pages of the tensors that no rule updates.
  void append_read_only(std::vector<extent>& pages) const;

  // What was taken, else what is there.
  std::vector<properties::role_data> contents(const std::byte* arena) const;
  std::vector<properties::stray_write> stray_writes(const std::byte* arena,
                                                    const guard_pattern& pattern) const;
  // The same before the first step, when no tensor may be written either.
  std::vector<properties::stray_write> early_writes(const std::byte* arena,
                                                    const guard_pattern& pattern) const;
  // A scalar role that does not hold what it must.
  std::optional<std::pair<std::string, std::string>> wrong_scalar(const std::byte* arena) const;

  struct location {
    properties::stray_write as_write;
    std::size_t bytes = 0;     // of the tensor
    std::size_t distance = 0;  // from the tensor
  };
  // The nearest tensor or workspace.
  location locate(std::size_t offset) const;

 private:
  bool is_read_only(std::size_t tensor) const;
  void retire(std::byte* arena, const guard_pattern& pattern);
  location locate(const placement& place, std::size_t offset) const;
  void copy_in(std::byte* arena, std::size_t role, std::span<const std::byte> bytes) const;

  std::size_t in_lists() const { return job_->roles.size() * job_->sizes.size(); }
  const extent& scalar_item(std::size_t i) const { return places_[current_].items[in_lists() + i]; }
  void set_scalars(std::byte* arena, const properties::step_arguments& next);

  const properties::job* job_;
  std::vector<role_format> formats_;  // of each role
  scalar_tensors scalars_;
  std::vector<placement> places_;  // items: list after list, scalar roles, then the workspace
  std::vector<std::uint64_t> layouts_;
  std::uint64_t decoy_layout_ = 0;
  std::size_t current_ = 0;
  bool fenced_ = false;
  std::optional<std::vector<properties::role_data>> taken_;
};

}  // namespace driftgate::gate::host
