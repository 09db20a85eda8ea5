#include "gate/host/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

namespace driftgate::gate::host {
namespace {

using properties::outcome;
using properties::run_status;

// A fence costs a system call and two pages. The law `splitting` cuts a list into some twenty
// tensors in each of five roles, and is to have them fenced.
constexpr std::size_t most_fenced_tensors = 128;

// More workspace than a quarter of the memory that this process may have, over all plans of a run,
// is a kernel's fault, not the gate's lack.
std::uint64_t most_workspace_bytes(bool on_device) {
  if (on_device) return device::memory::total() / 4;
  std::uint64_t limit = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  std::uint64_t of_container = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) {  // "max" is no number
    limit = std::min(limit, of_container);
  }
  return limit / 4;
}

// Layouts in the script start behind the lists of fences and of what may only be read.
word_writer script_with(const std::vector<std::size_t>& pages,
                        const std::vector<extent>& read_only) {
  word_writer script;
  script.number(pages.size());
  for (const std::size_t page : pages) script.number(page);
  script.number(2 * read_only.size());
  for (const extent& range : read_only) {
    script.number(range.begin);
    script.number(range.bytes());
  }
  return script;
}

// A decoy's plan beside a job's.
constexpr std::uint32_t decoy_plan = 1u << 31;

}  // namespace

session::session(connection& child, const properties::contract& promised,
                 const guard_pattern& pattern, fences where, std::span<const properties::job> jobs)
    : child_(child), promised_(promised), pattern_(pattern) {
  for (const properties::job& job : jobs) {
    jobs_.push_back({job, job_memory(job, promised)});
    running_job& running = jobs_.back();
    const bool fenced = running.memory.tensors() <= most_fenced_tensors && !child.on_device;
    running.where = fenced ? where : fences::none;  // a device has no pages to forbid
  }
}

void session::running_job::note(std::vector<properties::stray_write> writes) {
  constexpr std::size_t most = 8;  // outcome
  for (auto& write : writes) {
    if (result.stray_writes.size() < most) result.stray_writes.push_back(std::move(write));
  }
}

std::vector<outcome> session::run() {
  lay_out();
  try {
    run_jobs();
  } catch (const child_failure& failure) {
    child_.stop();
    blame(failure);
  }
  fetch();
  std::vector<outcome> outcomes;
  for (running_job& running : jobs_) {
    outcome& result = running.result;
    const std::byte* arena = child_.arena.data();
    result.roles = running.memory.contents(arena);
    running.note(running.memory.stray_writes(arena, pattern_));
    result.floating_point_environment_kept &= child_.loads_quietly();
    outcomes.push_back(std::move(result));
  }
  return outcomes;
}

void session::run_jobs() {
  std::size_t steps = 0;
  for (const running_job& running : jobs_) steps = std::max(steps, running.job.steps.size());

  child_.start();
  begin();
  if (child_.has_workspace()) {
    for (std::size_t plan = 0; plan < jobs_.size(); ++plan) measure(plan);
    // What has been written until now is overwritten by the next layout.
    fetch();
    for (running_job& running : jobs_) {
      running.note(running.memory.early_writes(child_.arena.data(), pattern_));
    }
    look_at_scalars();
    lay_out();
    begin();
  }
  for (std::size_t plan = 0; plan < jobs_.size(); ++plan) prepare(plan, 0);
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t plan = 0; plan < jobs_.size(); ++plan) {
      if (k < jobs_[plan].job.steps.size()) step(plan, k);
    }
    keep_step(k);
    resume(k + 1);
  }
  with_arena([&](std::byte* arena) {
    for (running_job& running : jobs_) running.memory.take(arena, pattern_);
  });
  for (std::size_t plan = 0; plan < jobs_.size(); ++plan) release(plan);
}

void session::lay_out() {
  std::size_t cursor = 0;
  std::vector<std::size_t> pages;
  std::vector<extent> read_only;
  for (running_job& running : jobs_) {
    running.memory.place(running.where, running.workspace_bytes, cursor);
    running.memory.append_pages(pages);
    running.memory.append_read_only(read_only);
  }
  word_writer script = script_with(pages, read_only);
  for (running_job& running : jobs_) running.memory.write_layouts(script, child_.kernel());

  child_.set_script(script);
  child_.arena.grow(cursor);
  used_ = cursor;
  for (running_job& running : jobs_) running.memory.fill(child_.arena.data(), pattern_);
  if (child_.on_device) child_.on_device->grow(used_);
  publish();
}

void session::fetch() {
  if (child_.on_device) child_.on_device->read(0, child_.arena.data(), used_);
}

void session::look_at_scalars() {
  for (running_job& running : jobs_) {
    if (running.stopped || running.result.wrong_scalar_role) continue;
    running.result.wrong_scalar_role = running.memory.wrong_scalar(child_.arena.data());
  }
}

void session::publish() {
  if (child_.on_device) child_.on_device->write(0, child_.arena.data(), used_);
}

void session::begin() {
  what_ = verb::begin;
  child_.begin(used_);
}

void session::measure(std::size_t plan) {
  const std::uint64_t bytes = call(verb::measure, plan, 0).header.value;
  std::uint64_t left = most_workspace_bytes(child_.on_device != nullptr);
  for (const running_job& other : jobs_) left -= other.workspace_bytes;
  if (bytes <= left) {
    jobs_[plan].workspace_bytes = bytes;
  } else {
    jobs_[plan].stopped = true;
    jobs_[plan].result.status = run_status::error_code;
    jobs_[plan].result.detail =
        fmt::format("workspace_bytes asked for {} bytes, of which {} can be had", bytes, left);
  }
}

void session::prepare(std::size_t plan, std::size_t step) {
  if (jobs_[plan].stopped) return;
  const running_job& running = jobs_[plan];
  const bool decoyed = step == 0 && running.job.before != properties::decoy::none;
  const std::uint64_t decoy = running.memory.decoy_layout();
  const bool decoy_stands = decoyed && call(verb::prepare, plan, 0, decoy).header.code == 0;
  const auto code = call(verb::prepare, plan, step).header.code;
  if (decoy_stands) call(verb::release, plan, 0, decoy);
  if (code != 0) stop_at_code(plan, code);
}

void session::step(std::size_t plan, std::size_t step) {
  running_job& running = jobs_[plan];
  if (running.stopped) return;
  const properties::step_arguments& next = running.job.steps[step];
  if (running.memory.is_renewed_by(next)) {
    with_arena([&](std::byte* arena) { running.memory.renew(arena, next); });
  }
  const auto answer = call(verb::step, plan, step);
  if (answer.header.kind == reply_kind::uncapturable) {
    jobs_[plan].stopped = true;
    jobs_[plan].result.on_device.capture_error = printable(answer.text);
    return;
  }
  if (child_.on_device) observe(plan, answer);
  if (answer.header.code != 0) return stop_at_code(plan, answer.header.code);
  running.memory.count(next);
}

void session::observe(std::size_t plan, const child_process::answer& answer) {
  device::observation seen;
  if (answer.text.size() != sizeof seen) return;
  std::memcpy(&seen, answer.text.data(), sizeof seen);
  properties::device_observation& all = jobs_[plan].result.on_device;
  all.returned_early &= seen.returned_early != 0;
  all.kept_to_stream &= seen.kept_to_stream != 0;
  all.launches = seen.kernels;
  all.copies = seen.copies + seen.memsets;
  all.others = seen.others;
}

void session::release(std::size_t plan) {
  if (!jobs_[plan].stopped) call(verb::release, plan, 0);
}

void session::keep_step(std::size_t k) {
  for (running_job& running : jobs_) {
    if (!running.job.keep_every_step || running.stopped || k >= running.job.steps.size()) continue;
    fetch();
    look_at_scalars();
    running.result.after_each_step.push_back(running.memory.contents(child_.arena.data()));
  }
}

void session::resume(std::size_t done) {
  std::vector<std::size_t> plans;
  for (std::size_t plan = 0; plan < jobs_.size(); ++plan) {
    if (jobs_[plan].job.resume_after == done && done <= jobs_[plan].job.steps.size()) {
      plans.push_back(plan);
    }
  }
  for (const std::size_t plan : plans) {
    with_arena([&](std::byte* arena) { jobs_[plan].memory.move(arena, pattern_); });
    release(plan);
  }
  // A run that is resumed goes on in this process or in a new one; a new one only if no other plan
  // is alive.
  if (plans.size() == jobs_.size() && !plans.empty() && jobs_[0].job.steps[0].seed % 2 == 1) {
    child_.stop();
    what_ = verb::load;
    child_.start();
    begin();
  }
  for (const std::size_t plan : plans) prepare(plan, done);
}

child_process::answer session::call(verb what, std::size_t plan, std::size_t step,
                                    std::optional<std::uint64_t> decoy) {
  what_ = what;
  plan_ = plan;
  step_ = step;
  running_job& running = jobs_[plan];
  arguments_.clear();
  if (!running.job.steps.empty()) {
    write_arguments(arguments_, running.job.steps[std::min(step, running.job.steps.size() - 1)],
                    promised_.scalar_roles);
  } else {
    write_arguments(arguments_, {}, promised_.scalar_roles);
  }
  const std::uint64_t argument = what == verb::step ? static_cast<std::uint64_t>(running.job.how)
                                                    : decoy.value_or(running.memory.layout());
  const auto id = static_cast<std::uint32_t>(plan) | (decoy ? decoy_plan : 0);
  const auto answer = child_.call(what, id, argument, arguments_.words());
  running.result.arguments_kept &= answer.header.arguments_kept != 0;
  running.result.floating_point_environment_kept &= answer.header.environment_kept != 0;
  return answer;
}

void session::stop_at_code(std::size_t plan, std::int32_t code) {
  running_job& running = jobs_[plan];
  running.stopped = true;
  running.result.status = run_status::error_code;
  running.result.detail = fmt::format("{} returned {}", where(), code);
  what_ = verb::error;
  step_ = static_cast<std::size_t>(code);
  const auto answer = child_.call(verb::error, static_cast<std::uint32_t>(child_.kernel()),
                                  static_cast<std::uint64_t>(code));
  if (!answer.text.empty()) running.result.detail += ": " + printable(answer.text);
}

std::string session::where() const {
  const std::string plan = jobs_.size() > 1 ? fmt::format(" of plan {}", plan_ + 1) : "";
  switch (what_) {
    case verb::begin:
      return "the pause between two runs";
    case verb::measure:
      return "workspace_bytes" + plan;
    case verb::prepare:
      return "prepare" + plan;
    case verb::step:
      return fmt::format("step of call {}{}", step_ + 1, plan);
    case verb::release:
      return "release" + plan;
    case verb::error:
      return fmt::format("error({})", static_cast<std::int32_t>(step_));
    case verb::greet:
    case verb::load:
    case verb::describe:
      break;
  }
  return "loading the kernel again";
}

void session::blame(const child_failure& failure) {
  const bool in_arena = failure.fault && failure.fault->in_arena != 0;
  const std::string place = in_arena ? find_owner(*failure.fault) : "";
  for (running_job& running : jobs_) {
    running.result.status = failure.status;
    running.result.detail = sentence(failure, where(), place);
  }
}

std::string session::find_owner(const reply& fault) {
  running_job* owner = nullptr;
  job_memory::location best;
  for (running_job& running : jobs_) {
    const auto found = running.memory.locate(fault.value);
    if (owner == nullptr || found.distance < best.distance) {
      best = found;
      owner = &running;
    }
  }
  if (owner == nullptr) return "";
  const properties::stray_write& at = best.as_write;
  if (fault.touched == access::write) owner->result.stray_writes.push_back(at);
  return fmt::format("byte {} of {}[{}], which has {} bytes", at.offset, at.role, at.tensor,
                     best.bytes);
}

}  // namespace driftgate::gate::host
