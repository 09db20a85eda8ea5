// SIGINT, SIGTERM and SIGHUP while a run has records to bring to their end.
#pragma once

#include <array>
#include <csignal>

namespace driftgate::gate::verbs {

// While it lives, the first of these signals is noted instead of ending the process; the second one
// ends it, as ever. A signal that was ignored before (nohup) stays ignored. One at a time.
class interruption {
 public:
  interruption();
  ~interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  // Throws stopped if a signal has come.
  static void check();

 private:
  static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace driftgate::gate::verbs
