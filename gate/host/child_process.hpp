// The gate's side of one child: starts it, asks it, watches how it ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gate/host/file_descriptor.hpp"
#include "gate/host/protocol.hpp"
#include "gate/host/shared_memory.hpp"
#include "properties/subject.hpp"

namespace driftgate::gate::host {

// The child died, hangs or has lost its mind; it can be asked nothing more.
struct child_failure : std::runtime_error {
  child_failure(properties::run_status ended, const std::string& cause)
      : std::runtime_error(cause), status(ended) {}

  properties::run_status status;
  // what() lacks the place it happened in: "signal 6 (Aborted) in ".
  std::optional<reply> fault;  // the memory access that killed it
  std::string last_words;      // the end of its stderr, as printable ASCII
};

// Text of unknown origin as printable ASCII on one line.
std::string printable(std::string_view text);

class child_process {
 public:
  struct launch {
    std::filesystem::path program;
    std::string plugin;
    std::chrono::milliseconds timeout;
    std::function<void()> while_waiting{};  // host::options
  };

  // Throws std::system_error or std::runtime_error if there is no such program, no room for a
  // process, or the process does not get as far as its first answer: nothing of a kernel is loaded
  // by then, so that is never a kernel's fault.
  child_process(const launch& how, const shared_memory& script, const shared_memory& arena);
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  struct answer {
    reply header;
    std::string_view text;  // until the next call
  };
  // Throws child_failure, or std::runtime_error if the child lacks what it needs for reasons of its
  // own (memory, descriptors); afterwards the child is no more.
  answer call(verb what, std::uint32_t plan, std::uint64_t argument,
              std::span<const std::uint64_t> payload);

 private:
  void greet();
  answer await(std::uint64_t nonce, std::chrono::milliseconds patience);
  // All end the child and throw.
  [[noreturn]] void give_up(bool socket_closed, std::chrono::milliseconds patience);
  [[noreturn]] void report_death();
  [[noreturn]] void fail(properties::run_status status, const std::string& cause);
  // Kills it if it lives; its wait status, unless somebody else has taken that.
  std::optional<int> end();
  bool read_stderr();  // a part of it; false: nothing there

  std::chrono::milliseconds timeout_;
  std::function<void()> while_waiting_;
  std::mt19937_64 nonces_;
  int id_ = -1;
  file_descriptor socket_, life_, stderr_;
  bool stderr_open_ = true;
  std::string last_words_;
  std::optional<reply> fault_;
  std::vector<std::byte> packet_;
};

}  // namespace driftgate::gate::host
