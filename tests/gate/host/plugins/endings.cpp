// Kernels that end badly.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "tests/gate/host/plugins/plugin.hpp"

namespace {

int* volatile const no_memory = reinterpret_cast<int*>(16);

int crashes(const dg_step* step, void*) {
  if (step->step == 3) *no_memory = 1;
  return plugin::descend(step, nullptr);
}
int aborts(const dg_step*, void*) {
  std::fprintf(stderr, "free(): invalid\npointer \x01\n");
  std::abort();
}
int throws(const dg_step*, void*) {
  throw std::runtime_error("no such luck");
}
int throws_a_number(const dg_step*, void*) {
  throw 7;
}
int exits(const dg_step*, void*) {
  _exit(0);
}
int leaves(const dg_step*, void*) {
  std::exit(0);
}
int hangs(const dg_step*, void*) {
  for (volatile bool on = true; on;) {
  }
  return 0;
}
int stops(const dg_step*, void*) {
  return std::raise(SIGSTOP);
}
int floods(const dg_step*, void*) {
  for (;;) std::fprintf(stderr, "over and over\n");
}
int closes_all(const dg_step* step, void*) {
  for (int i = 0; i < 64; ++i) close(i);
  return plugin::descend(step, nullptr);
}
// What a success looks like, as far as an accident could know.
int writes_everywhere(const dg_step*, void*) {
  char noise[48];
  std::memset(noise, 0, sizeof noise);
  for (int i = 0; i < 64; ++i) send(i, noise, sizeof noise, MSG_NOSIGNAL);
  _exit(0);
}
// Two processes answer.
int forks(const dg_step* step, void*) {
  fork();
  return plugin::descend(step, nullptr);
}
// Leaves processes behind that are out of the gate's reach and fill its pipe for half a minute.
int leaves_noise(const dg_step*, void*) {
  constexpr int writers = 32;
  int away[2];
  // Large enough not to run dry while the gate reads.
  if (pipe(away) != 0 || fcntl(STDERR_FILENO, F_SETPIPE_SZ, 1 << 20) < 0) return 1;
  for (int i = 0; i < writers; ++i) {
    if (fork() != 0) continue;
    setsid();
    std::signal(SIGPIPE, SIG_DFL);
    alarm(30);
    if (write(away[1], "", 1) != 1) _exit(1);
    static char noise[1 << 20];
    std::memset(noise, '.', sizeof noise);
    // Lends its pages, which is faster than anybody can copy them.
    const iovec lent{noise, sizeof noise};
    for (;;) {
      if (vmsplice(STDERR_FILENO, &lent, 1, 0) < 0) _exit(1);
    }
  }
  char gone[writers];
  for (int i = 0; i < writers; ++i) {
    if (read(away[0], &gone[i], 1) != 1) return 1;
  }
  std::abort();
}
// Deeper than any stack, though the compiler cannot know.
int deeper(volatile char* above, int levels) {
  volatile char here[4096];
  here[0] = *above;
  return levels == 0 ? 0 : deeper(here, levels - 1) + here[0];
}
int overflows(const dg_step*, void*) {
  volatile char bottom = 0;
  volatile int levels = 1 << 30;
  return deeper(&bottom, levels);
}
int returns_7(const dg_step*, void*) {
  return 7;
}
const char* sentence(int code) {
  return code == 7 ? "the seven is taken" : nullptr;
}
int prepare_8(const dg_step*, void**) {
  return 8;
}
int prepare_exits(const dg_step*, void**) {
  std::exit(3);
}
void release_aborts(void*) {
  std::abort();
}

dg_kernel complaining() {
  dg_kernel table = plugin::kernel("returns_7", returns_7);
  table.error = sentence;
  return table;
}
dg_kernel unprepared(const char* name, int (*prepare)(const dg_step*, void**)) {
  dg_kernel table = plugin::kernel(name, plugin::descend);
  table.prepare = prepare;
  return table;
}
dg_kernel unreleased() {
  dg_kernel table = plugin::kernel("release_aborts", plugin::descend);
  table.release = release_aborts;
  return table;
}

const dg_kernel kernels[] = {
    plugin::kernel("crashes", crashes),
    plugin::kernel("aborts", aborts),
    plugin::kernel("throws", throws),
    plugin::kernel("throws_a_number", throws_a_number),
    plugin::kernel("exits", exits),
    plugin::kernel("leaves", leaves),
    plugin::kernel("hangs", hangs),
    plugin::kernel("stops", stops),
    plugin::kernel("floods", floods),
    plugin::kernel("closes_all", closes_all),
    plugin::kernel("writes_everywhere", writes_everywhere),
    plugin::kernel("forks", forks),
    plugin::kernel("leaves_noise", leaves_noise),
    plugin::kernel("overflows", overflows),
    complaining(),
    unprepared("prepare_8", prepare_8),
    unprepared("prepare_exits", prepare_exits),
    unreleased(),
};

}  // namespace

EXPORT_KERNELS(kernels)
