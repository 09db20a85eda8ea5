// The kernel under test as a law sees it: jobs go in, outcomes come out. The gate implements it
// with a child process that owns no memory of its own (gate/host); a test may implement it with a
// lambda.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/contract.hpp"

namespace driftgate::properties {

// One role's data: the elements of all tensors of its list, one after the other, in list order.
struct role_data {
  std::string role;
  std::vector<std::byte> bytes;

  bool operator==(const role_data&) const = default;
};

// What changes from step to step while a plan stays the same.
struct step_arguments {
  std::int64_t step = 1;
  std::vector<std::pair<std::string, double>> scalars;
  std::uint64_t seed = 0;
  // New contents of the role "grad" before this step; empty leaves what is there.
  std::vector<std::byte> gradient;
};

// One plan's worth of work: tensors of these sizes, prepared once, stepped through `steps`,
// released.
struct job {
  std::vector<std::int64_t> sizes;  // elements of each tensor, the same for every role
  std::vector<role_data> roles;     // in the order in which the kernel is to see them
  // Bytes by which each role's tensors are off a 256-byte boundary (a multiple of the element's
  // size). Empty: all aligned.
  std::vector<std::uint32_t> misalignment;
  std::vector<step_arguments> steps;
  // After this many steps (0: never) everything is released, copied to other addresses and prepared
  // again, as a training run that is saved and resumed.
  std::size_t resume_after = 0;
};

enum class run_status { completed, error_code, crashed, timed_out };

// Bytes outside every tensor that changed, or the floating-point environment.
struct stray_write {
  std::string role;         // the nearest tensor's role, or "workspace"
  std::size_t tensor = 0;   // its index in the list
  std::int64_t offset = 0;  // bytes from the tensor's first byte; negative or beyond its size
};

struct outcome {
  run_status status = run_status::completed;
  std::string detail;            // "signal 11 (Segmentation fault) in step", "step returned 7: ..."
  std::vector<role_data> roles;  // every role as it is after the last step, in the job's order
  std::vector<stray_write> stray_writes;        // at most the first 8
  bool floating_point_environment_kept = true;  // rounding mode, flush-to-zero, traps
};

class subject {
 public:
  virtual ~subject() = default;

  virtual const contract& promised() const = 0;

  // Prepares every job, steps them in turn (step 1 of each, step 2 of each, ...), releases them,
  // and returns an outcome for each, in order. A kernel that crashes or hangs gives every job that
  // verdict; the next call starts afresh. Throws std::runtime_error only if the suite itself fails
  // (no memory).
  virtual std::vector<outcome> run(std::span<const job> jobs) = 0;

  // Where tensors lie changes from run to run, by turns that count up. Says which turn the next run
  // has: a check that begins at the same turn again places the tensors of all its runs as before.
  virtual void turn_to(std::size_t /*turn*/) {}

  // Ends the child process, so that the next run is the kernel's first.
  virtual void restart() = 0;
};

}  // namespace driftgate::properties
