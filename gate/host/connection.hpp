// A child with one source's kernels loaded, and the memory it shares with the gate.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/device/device.hpp"
#include "gate/host/child_process.hpp"
#include "gate/host/host.hpp"
#include "gate/host/plugin_file.hpp"
#include "gate/host/protocol.hpp"
#include "gate/host/shared_memory.hpp"

namespace driftgate::gate::host {

class connection {
 public:
  connection(const kernel_source& source, const options& how);

  // Starts a child and asks it for all its kernels. Throws unusable_plugin.
  std::vector<properties::contract_words> describe();
  // Which of them is meant from now on. One for a device works in that device's memory.
  void choose(std::size_t kernel, const properties::contract_words& words);
  // Throws unusable_plugin unless the chosen kernel is the one that was described, and
  // std::runtime_error if the file is another one.
  void require(const description& known) const;

  // Starts a child unless there is one. Throws child_failure, too, if the chosen kernel is no
  // longer what it was, but std::runtime_error if somebody has changed or removed the file.
  void start();
  void stop() { child_.reset(); }

  // Asks the child. Throws child_failure.
  child_process::answer call(verb what, std::uint32_t plan = 0, std::uint64_t argument = 0,
                             std::span<const std::uint64_t> payload = {});

  void set_script(const word_writer& words);
  // Tells the child of the script and of the tensors' memory, of which the next run uses so much.
  void begin(std::size_t used);

  std::size_t kernel() const { return kernel_; }
  const file_identity& file() const { return file_; }
  bool has_workspace() const { return has_workspace_; }
  // Loading the plugin left the floating-point environment alone (-ffast-math links code that sets
  // flush to zero for the whole process).
  bool loads_quietly() const { return loads_quietly_; }

  shared_memory script{"driftgate script"};
  shared_memory arena{"driftgate arena"};
  // Where the kernel runs on a device, the memory that it works in; the arena then is its image.
  std::unique_ptr<device::memory> on_device;

 private:
  std::size_t load();
  void check_unchanged(const file_identity& known, const file_identity& now) const;
  properties::contract_words words_of(std::size_t kernel);

  child_process::launch launch_;
  file_identity file_{};  // of the plugin when it was first loaded
  std::unique_ptr<child_process> child_;
  std::size_t kernel_ = 0;
  properties::contract_words words_;
  bool has_workspace_ = false;
  bool loads_quietly_ = true;
};

// Its cause and all else that is known, in one sentence without a full stop. `where` is what the
// child was doing, `place` what lies where a fault was, if that is known.
std::string sentence(const child_failure& failure, std::string_view where,
                     std::string_view place = {});

}  // namespace driftgate::gate::host
