// Runs kernels in a child process, so that whatever a kernel does is a verdict about the kernel and
// never the end of the gate.
//
// The child is this program, executed again with a hidden verb (child.hpp). It loads the plugin;
// the gate never does. All tensors lie in memory that the gate owns and reads by itself, between
// guard bands and pages. That catches crashes, hangs, early exits, noise and stray writes; it is no
// sandbox against a kernel that is hostile on purpose.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gate/host/plugin_file.hpp"
#include "properties/contract_parse.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

struct kernel_source {
  std::filesystem::path plugin;  // empty: the program's own kernels
};

struct options {
  std::chrono::milliseconds timeout{30'000};         // of one call into the kernel
  std::uint64_t seed = 0;                            // of guard bands and poison
  std::filesystem::path program = "/proc/self/exe";  // its main calls run_if_child (child.hpp)
  // Called a few times a second while a kernel is waited for; may be empty. What it throws ends the
  // child and the run.
  std::function<void()> while_waiting{};
};

// The source has no kernels that could be called. The message is one sentence.
struct unusable_plugin : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a source said of one of its kernels, and the file that said it.
struct description {
  properties::contract_words words;
  file_identity file;
};

// Of every kernel of the source. Throws unusable_plugin.
std::vector<description> describe(const kernel_source& source, const options& how = {});

// Where a run's tensors lie, in turns: between guard bands only, a forbidden page right after each
// tensor, bands again, a forbidden page right before each tensor (jobs of at most 128 tensors). At
// such a page a read out of bounds is a crash, too. A check may have two or four runs: so that each
// of them meets every placement, each check begins one turn later than the last
// (subject::turn_to), and whoever replays a check begins it at all four turns.
inline constexpr std::size_t placements = 4;

// The kernel of that name for that device, ready to run. Throws unusable_plugin, also if there is
// no such kernel, and what parse_contract throws. Each subject has its own child, which lives until
// restart(), a crash or the end of the subject. A device's memory has no forbidden pages: bands
// only.
std::unique_ptr<properties::subject> open(const kernel_source& source, const std::string& kernel,
                                          const options& how = {},
                                          const std::string& device = "cpu");

// The kernel that was described, so that the contract it is judged by is the one that the caller
// knows. Throws as above, unusable_plugin if the source no longer describes it so, and
// std::runtime_error if the file was changed meanwhile.
std::unique_ptr<properties::subject> open(const kernel_source& source, const description& kernel,
                                          const options& how = {});

}  // namespace driftgate::gate::host
