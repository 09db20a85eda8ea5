#include "gate/host/repeated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gate/host/layout.hpp"

namespace driftgate::gate::host {
namespace {

using properties::run_status;
using repeated_outcome = properties::subject::repeated_outcome;

class repeated_run {
 public:
  repeated_run(connection& child, const properties::contract& promised,
               const guard_pattern& pattern, const properties::job& one, std::int64_t elements)
      : child_(child),
        pattern_(pattern),
        job_(one),
        sizes_{elements},
        roles_(formats_of(one, promised)),
        promised_(promised),
        scalars_(promised.scalar_roles) {}

  repeated_outcome run() {
    place(0);
    // The driver keeps some of what it calls free.
    const std::size_t needed = place_.end + place_.end / 16;
    const std::size_t free = device::memory::available();
    if (needed > free) {
      result_.impossible = fmt::format(
          "a tensor of {} elements a role takes {} GiB of device memory, and {} are free",
          sizes_[0], (needed >> 30) + 1, free >> 30);
      return std::move(result_);
    }
    // A new child, which knows of no other memory, and ends before this memory does.
    child_.stop();
    std::swap(child_.on_device, memory_);
    try {
      step();
      read();
    } catch (const child_failure& failure) {
      result_.first.status = failure.status;
      result_.first.detail = sentence(failure, fmt::format("a step on {} elements", sizes_[0]));
    } catch (...) {
      end();
      throw;
    }
    end();
    return std::move(result_);
  }

 private:
  void end() {
    child_.stop();
    std::swap(child_.on_device, memory_);
  }

  void place(std::size_t workspace_bytes) {
    std::vector<item> items;
    for (const role_format& role : roles_) {
      items.push_back(
          {static_cast<std::size_t>(sizes_[0]) * formats::bytes(role.format), 0, false});
    }
    for (const scalar_tensor& scalar : scalars_.all()) items.push_back({scalar.bytes(), 0, false});
    items.push_back({workspace_bytes, 0, false});
    place_ = host::place(items, fences::none, 0);
  }

  // Tells the child where everything is.
  void begin(std::size_t bytes) {
    memory_in_use().grow(std::max<std::size_t>(bytes, 1));
    word_writer script;
    script.number(0);  // no fences,
    script.number(0);  // nothing that may only be read
    layout_ = script.words().size();
    write_layout(script, child_.kernel(), place_, sizes_, roles_, scalars_.all());
    child_.set_script(script);
    child_.begin(place_.end);
  }

  void step() {
    child_.start();
    if (child_.has_workspace()) {
      begin(0);  // asking for a size, and nothing is read or written yet
      place(call(verb::measure).header.value);
    }
    begin(place_.end);
    fill();
    const char* what = "prepare";
    auto answer = call(verb::prepare);
    if (answer.header.code == 0) {
      what = "step";
      answer = call(verb::step);
    }
    if (answer.header.code != 0) {
      result_.first.status = run_status::error_code;
      result_.first.detail = fmt::format("{} returned {} for a tensor of {} elements", what,
                                         answer.header.code, sizes_[0]);
    }
    call(verb::release);
  }

  child_process::answer call(verb what) {
    word_writer arguments;
    write_arguments(arguments, job_.steps.front(), promised_.scalar_roles);
    return child_.call(what, 0, what == verb::step ? 0 : layout_, arguments.words());
  }

  void fill() {
    for (const extent& band : place_.bands) {
      std::vector<std::byte> bytes(band.bytes());
      pattern_.fill(bytes.data(), 0, bytes.size());
      memory_in_use().write(band.begin, bytes.data(), bytes.size());
    }
    scalars_.set(job_.steps.front(), [&](std::size_t i, std::span<const std::byte> bytes) {
      memory_in_use().write(scalar_item(i).begin, bytes.data(), bytes.size());
    });
    for (std::size_t r = 0; r < roles_.size(); ++r) {
      const auto& bytes = job_.roles[r].bytes;
      memory_in_use().write(place_.items[r].begin, bytes.data(), bytes.size());
      memory_in_use().repeat(place_.items[r].begin, bytes.size(), place_.items[r].bytes());
    }
  }

  void read() {
    for (const extent& band : place_.bands) {
      std::vector<std::byte> bytes(band.bytes());
      memory_in_use().read(band.begin, bytes.data(), bytes.size());
      if (const auto change = pattern_.first_change(bytes.data(), 0, bytes.size()))
        note(band, *change);
    }
    scalars_.count(job_.steps.front());
    result_.first.wrong_scalar_role =
        scalars_.wrong([&](std::size_t i, std::span<std::byte> bytes) {
          memory_in_use().read(scalar_item(i).begin, bytes.data(), bytes.size());
        });
    for (std::size_t r = 0; r < roles_.size(); ++r) {
      const extent& item = place_.items[r];
      properties::role_data role{job_.roles[r].role, job_.roles[r].bytes};
      memory_in_use().read(item.begin, role.bytes.data(), role.bytes.size());
      const std::size_t at =
          memory_in_use().first_aperiodic(item.begin, role.bytes.size(), item.bytes());
      if (at < item.bytes() && !result_.differs) {
        result_.differs = {role.role, at / formats::bytes(roles_[r].format)};
      }
      result_.first.roles.push_back(std::move(role));
    }
  }

  void note(const extent& band, std::size_t change) {
    const std::size_t offset = band.begin + change;
    const neighbour near = nearest(place_, offset);
    const std::size_t scalar = near.item - roles_.size();
    const std::string owner = near.item < roles_.size()        ? std::string(roles_[near.item].role)
                              : scalar < scalars_.all().size() ? scalars_.all()[scalar].role
                                                               : "workspace";
    result_.first.stray_writes.push_back(
        {owner, 0,
         static_cast<std::int64_t>(offset) -
             static_cast<std::int64_t>(place_.items[near.item].begin)});
  }

  device::memory& memory_in_use() { return *child_.on_device; }
  const extent& scalar_item(std::size_t i) const { return place_.items[roles_.size() + i]; }

  connection& child_;
  const guard_pattern& pattern_;
  const properties::job& job_;
  const std::vector<std::int64_t> sizes_;
  const std::vector<role_format> roles_;
  const properties::contract& promised_;
  scalar_tensors scalars_;
  placement place_;
  std::uint64_t layout_ = 0;
  std::unique_ptr<device::memory> memory_ = std::make_unique<device::memory>();
  repeated_outcome result_;
};

}  // namespace

repeated_outcome run_repeated(connection& child, const properties::contract& promised,
                              const guard_pattern& pattern, const properties::job& one,
                              std::int64_t elements) {
  return repeated_run(child, promised, pattern, one, elements).run();
}

}  // namespace driftgate::gate::host
