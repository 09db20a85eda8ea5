#include "gate/host/fault_report.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <ucontext.h>

#include <array>

#include "gate/host/protocol.hpp"

namespace driftgate::gate::host {

fault_context current_fault_context;

namespace {

access kind_of_access([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr greg_t write_bit = 2;  // of the page fault's error code
  const auto* user = static_cast<const ucontext_t*>(context);
  return (user->uc_mcontext.gregs[REG_ERR] & write_bit) != 0 ? access::write : access::read;
#else
  return access::unknown;
#endif
}

// Only calls that are safe in a signal handler.
void on_fault(int number, siginfo_t* info, void* context) {
  const fault_context& now = current_fault_context;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto arena = reinterpret_cast<std::uintptr_t>(now.arena);
  const bool in_arena = now.arena_bytes > 0 && address - arena < now.arena_bytes;
  reply last;
  last.nonce = now.nonce;
  last.kind = reply_kind::fault;
  last.code = number;
  last.in_arena = in_arena ? 1 : 0;
  last.value = in_arena ? address - arena : address;
  last.touched = kind_of_access(context);
  // Otherwise somebody sent the signal, or the processor names no address.
  if (info->si_code > 0 && info->si_code != SI_KERNEL) {
    send(socket_descriptor, &last, sizeof last, MSG_NOSIGNAL);
  }
  raise(number);  // the default action is back (SA_RESETHAND), and this is delivered on return
}

}  // namespace

void report_faults() {
  static std::array<std::byte, 64 * 1024> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);

  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace driftgate::gate::host
