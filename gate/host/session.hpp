// One run: some jobs on one child, from their layout to their outcomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/host/connection.hpp"
#include "gate/host/guard_pattern.hpp"
#include "gate/host/job_memory.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

class session {
 public:
  // `where` is for jobs of at most 128 tensors. Throws std::invalid_argument for an impossible job.
  session(connection& child, const properties::contract& promised, const guard_pattern& pattern,
          fences where, std::span<const properties::job> jobs);

  std::vector<properties::outcome> run();

 private:
  struct running_job {
    const properties::job& job;
    job_memory memory;
    fences where = fences::none;
    std::uint64_t workspace_bytes = 0;
    bool stopped = false;  // by an error code
    properties::outcome result{};

    void note(std::vector<properties::stray_write> writes);
  };

  void run_jobs();
  void lay_out();
  void begin();

  // Where the tensors are on a device, the arena's bytes from there, and there.
  void fetch();
  void publish();
  // Notes what is wrong with the scalar roles in the arena.
  void look_at_scalars();
  // Reads and changes the arena while no kernel runs.
  template <class Change>
  void with_arena(const Change& change) {
    fetch();
    look_at_scalars();
    change(child_.arena.data());
    publish();
  }

  // Plans count from 0, and so do their steps.
  void measure(std::size_t plan);
  void prepare(std::size_t plan, std::size_t step);
  void step(std::size_t plan, std::size_t step);
  void release(std::size_t plan);
  // For the jobs that want it: what the tensors hold after this step.
  void keep_step(std::size_t k);
  // After `done` steps of each plan.
  void resume(std::size_t done);

  // A decoy's plan if its layout is given.
  child_process::answer call(verb what, std::size_t plan, std::size_t step,
                             std::optional<std::uint64_t> decoy = std::nullopt);
  void observe(std::size_t plan, const child_process::answer& answer);
  void stop_at_code(std::size_t plan, std::int32_t code);

  void blame(const child_failure& failure);
  // Whose tensor is nearest to a fault in the arena, in words; a write becomes its stray write.
  std::string find_owner(const reply& fault);
  std::string where() const;

  connection& child_;
  const properties::contract& promised_;
  const guard_pattern& pattern_;
  std::vector<running_job> jobs_;
  std::size_t used_ = 0;  // bytes of the arena
  word_writer arguments_;
  // What the child is doing, for a sentence about its death.
  verb what_ = verb::load;
  std::size_t plan_ = 0, step_ = 0;
};

}  // namespace driftgate::gate::host
