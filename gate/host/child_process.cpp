#include "gate/host/child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace driftgate::gate::host {
namespace {

using properties::run_status;
using std::chrono::steady_clock;

constexpr std::size_t last_words_bytes = 2048;
constexpr int stderr_part = 4096;
// How long the gate may not look up from waiting for a kernel.
constexpr std::chrono::milliseconds attention{250};
// How long a process may take to start on a crowded machine, whatever a kernel's call may take.
constexpr std::chrono::milliseconds start_patience{30'000};

// Above the numbers that the child gets, so that a copy onto one of these hits none of ours.
file_descriptor out_of_the_way(const file_descriptor& descriptor) {
  return {fcntl(descriptor.get(), F_DUPFD_CLOEXEC, arena_descriptor + 1), "fcntl(F_DUPFD_CLOEXEC)"};
}

std::uint64_t unpredictable_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

// A child process that starts as a new program does: no signal ignored or blocked, a group of its
// own (so that its own children end with it, and the terminal's Ctrl-C ends only the gate).
class spawner {
 public:
  spawner() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~spawner() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  spawner(const spawner&) = delete;
  spawner& operator=(const spawner&) = delete;

  void gives(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void gives_nothing(int to, int mode) {
    posix_spawn_file_actions_addopen(&actions_, to, "/dev/null", mode, 0);
  }

  pid_t start(const std::string& program, std::vector<std::string> arguments) {
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t id = -1;
    const int error =
        posix_spawn(&id, program.c_str(), &actions_, &attributes_, pointers.data(), environ);
    if (error != 0) throw std::system_error(error, std::generic_category(), "starting " + program);
    return id;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::string printable(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

child_process::child_process(const launch& how, const shared_memory& script,
                             const shared_memory& arena)
    : timeout_(how.timeout),
      while_waiting_(how.while_waiting),
      nonces_(unpredictable_seed()),
      packet_(max_packet) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  socket_ = file_descriptor(pair[0], "socketpair");
  const file_descriptor theirs = out_of_the_way(file_descriptor(pair[1], "socketpair"));
  if (pipe2(pair, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe2");
  }
  stderr_ = file_descriptor(pair[0], "pipe2");
  const file_descriptor their_stderr = out_of_the_way(file_descriptor(pair[1], "pipe2"));
  fcntl(stderr_.get(), F_SETFL, O_NONBLOCK);
  const file_descriptor their_script =
      out_of_the_way(file_descriptor(dup(script.descriptor()), "dup"));
  const file_descriptor their_arena =
      out_of_the_way(file_descriptor(dup(arena.descriptor()), "dup"));

  spawner spawner;
  spawner.gives_nothing(STDIN_FILENO, O_RDONLY);
  spawner.gives_nothing(STDOUT_FILENO, O_WRONLY);
  spawner.gives(their_stderr.get(), STDERR_FILENO);
  spawner.gives(theirs.get(), socket_descriptor);
  spawner.gives(their_script.get(), script_descriptor);
  spawner.gives(their_arena.get(), arena_descriptor);
  // The child's own alarm must be later than this side's patience.
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(how.timeout).count() + 1;
  id_ = spawner.start(how.program, {how.program, child_verb, how.plugin, std::to_string(seconds)});
  try {
    // By number: glibc 2.36 declares pidfd_open for C only.
    life_ = file_descriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)),
                            "pidfd_open (Linux 5.3 or newer)");
    greet();
  } catch (...) {
    end();
    throw;
  }
}

child_process::~child_process() {
  end();
}

void child_process::greet() {
  command order;
  order.nonce = nonces_();
  order.what = verb::greet;
  send(socket_.get(), &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
  try {
    await(order.nonce, std::max(timeout_, start_patience));
  } catch (const child_failure& failure) {
    throw std::runtime_error(fmt::format(
        "the process that runs kernels cannot be started: {}its start{}", failure.what(),
        failure.last_words.empty() ? "" : "; its stderr ends with \"" + failure.last_words + "\""));
  }
}

child_process::answer child_process::call(verb what, std::uint32_t plan, std::uint64_t argument,
                                          std::span<const std::uint64_t> payload) {
  command order;
  order.nonce = nonces_();
  order.what = what;
  order.plan = plan;
  order.argument = argument;
  iovec parts[2] = {{&order, sizeof order},
                    {const_cast<std::uint64_t*>(payload.data()), payload.size_bytes()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (sizeof order + payload.size_bytes() > max_packet) {
    throw std::length_error("a step's scalars do not fit into a packet");
  }
  // A failure is the child's death, of which the rest will tell more.
  sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  return await(order.nonce, timeout_);
}

child_process::answer child_process::await(std::uint64_t nonce,
                                           std::chrono::milliseconds patience) {
  const auto deadline = steady_clock::now() + patience;
  bool socket_closed = false;
  for (;;) {
    if (while_waiting_) while_waiting_();
    std::array<pollfd, 3> watched{{{socket_closed ? -1 : socket_.get(), POLLIN, 0},
                                   {life_.get(), POLLIN, 0},
                                   {stderr_open_ ? stderr_.get() : -1, POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    poll(watched.data(), watched.size(),
         static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, attention.count())));
    if (watched[2].revents != 0) read_stderr();
    if (watched[0].revents != 0) {
      const ssize_t size = recv(socket_.get(), packet_.data(), packet_.size(), MSG_DONTWAIT);
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (size <= 0) {
        socket_closed = true;
        continue;
      }
      answer result;
      std::memcpy(&result.header, packet_.data(), sizeof result.header);
      if (size < static_cast<ssize_t>(sizeof result.header) || result.header.nonce != nonce) {
        fail(run_status::crashed, "wrote to the gate's socket in ");
      }
      if (result.header.kind == reply_kind::fault) {
        fault_ = result.header;
        continue;
      }
      result.text = {reinterpret_cast<const char*>(packet_.data()) + sizeof result.header,
                     static_cast<std::size_t>(size) - sizeof result.header};
      if (result.header.kind == reply_kind::unable) {
        const std::string what = printable(result.text);
        end();
        throw std::runtime_error("the process that runs kernels cannot go on: " + what);
      }
      if (result.header.kind == reply_kind::device_failed) {
        fail(run_status::crashed, printable(result.text) + " in ");
      }
      if (result.header.kind == reply_kind::threw) {
        const std::string what = result.text.empty() ? "" : " (" + printable(result.text) + ")";
        fail(run_status::crashed, fmt::format("an exception{} left the kernel in ", what));
      }
      return result;
    }
    if (watched[1].revents != 0) report_death();
    // Last, so that an answer counts even if this side was held up, and noise does not.
    if (left.count() <= 0) give_up(socket_closed, patience);
  }
}

void child_process::give_up(bool socket_closed, std::chrono::milliseconds patience) {
  if (socket_closed) fail(run_status::crashed, "closed the gate's socket and did not return from ");
  const double seconds = std::chrono::duration<double>(patience).count();
  fail(run_status::timed_out, fmt::format("no answer within {} s from ", seconds));
}

void child_process::report_death() {
  const std::optional<int> known = end();
  if (!known) {
    throw std::runtime_error(
        "how the process that runs kernels ended is lost (SIGCHLD is ignored, or another part of "
        "this program waited for it)");
  }
  const int status = *known;
  if (WIFSIGNALED(status)) {
    fail(run_status::crashed,
         fmt::format("signal {} ({}) in ", WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  if (WEXITSTATUS(status) == lost_socket_status) {
    fail(run_status::crashed, "closed the gate's socket in ");
  }
  fail(run_status::crashed,
       fmt::format("exited with status {} in the middle of ", WEXITSTATUS(status)));
}

void child_process::fail(run_status status, const std::string& cause) {
  end();
  // What the child has said is in the pipe, and no more than fits; one that it has started may have
  // got away and go on for ever.
  for (int parts = fcntl(stderr_.get(), F_GETPIPE_SZ) / stderr_part + 1; parts > 0; --parts) {
    if (!read_stderr()) break;
  }
  child_failure failure(status, cause);
  failure.fault = fault_;
  failure.last_words = printable(last_words_);
  throw failure;
}

std::optional<int> child_process::end() {
  if (id_ < 0) return std::nullopt;
  kill(-id_, SIGKILL);  // with whatever it has started
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(id_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  id_ = -1;
  return ended < 0 ? std::nullopt : std::optional(status);
}

bool child_process::read_stderr() {
  std::array<char, stderr_part> text;
  const ssize_t size = read(stderr_.get(), text.data(), text.size());
  if (size == 0) stderr_open_ = false;
  if (size <= 0) return false;
  last_words_.append(text.data(), static_cast<std::size_t>(size));
  if (last_words_.size() > last_words_bytes) {
    last_words_.erase(0, last_words_.size() - last_words_bytes);
  }
  return true;
}

}  // namespace driftgate::gate::host
