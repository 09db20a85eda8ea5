// The kernel under test as a law sees it: jobs go in, outcomes come out. The gate implements it
// with a child process that owns no memory of its own (gate/host); a test may implement it with a
// lambda.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "oracles/rules/scalar_roles.hpp"
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
  std::vector<role_data> renewed;  // roles that get new contents before this step
};

inline bool is_skipped(const step_arguments& at) {
  return rules::is_skipped({at.scalars.begin(), at.scalars.end()});
}

// Another plan that is prepared before a job's own, and released right after that one's prepare:
// what a kernel keeps by address must not be that plan's.
enum class decoy { none, same_tensors, other_gradient };

// How a device's kernel is called; for the host's there is only one way.
enum class calling {
  plainly,  // and waited for after every call
  held,     // behind work that keeps the stream busy until after the return
  captured  // the first step is captured into a graph, which is launched once for every step
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
  calling how = calling::plainly;
  decoy before = decoy::none;
  bool keep_every_step = false;  // outcome::after_each_step is wanted
};

// What was seen of a device's kernel that was not called plainly.
struct device_observation {
  bool returned_early = true;  // the host came back from every step while the stream was held up
  bool kept_to_stream = true;  // and no tensor changed meanwhile
  std::string capture_error;   // why a step could not be captured; empty: it was, or nobody tried
  std::uint64_t launches = 0;  // the graph's nodes: kernels,
  std::uint64_t copies = 0;    // copies and memsets,
  std::uint64_t others = 0;  // and what has no place in a step: allocations, host functions, events
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
  bool arguments_kept = true;                   // the dg_step and all that it points to
  // What is wrong with a role of one element: its name, and a clause.
  std::optional<std::pair<std::string, std::string>> wrong_scalar_role;
  device_observation on_device;
  std::vector<std::vector<role_data>> after_each_step;  // the roles, if the job asks for them
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

  // One step of a job of one tensor, with every role's tensor repeated until it has so many
  // elements (the last repetition may be cut short).
  struct repeated_outcome {
    std::string impossible;  // why this subject cannot do that here; empty: it could, and then
    outcome first;           // is the first repetition's outcome, and
    // the first element of a role that is not what it is in the repetition before.
    std::optional<std::pair<std::string, std::uint64_t>> differs;
  };
  virtual repeated_outcome run_repeated(const job& /*one*/, std::int64_t /*elements*/) {
    return {"a tensor of that size needs a device", {}, {}};
  }

  // Where tensors lie changes from run to run, by turns that count up. Says which turn the next run
  // has: a check that begins at the same turn again places the tensors of all its runs as before.
  virtual void turn_to(std::size_t /*turn*/) {}

  // Ends the child process, so that the next run is the kernel's first.
  virtual void restart() = 0;
};

}  // namespace driftgate::properties
