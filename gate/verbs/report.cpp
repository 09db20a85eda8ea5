// The report is Python's work (reports/driftgate_report); this starts it.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "gate/campaign.hpp"
#include "gate/installation.hpp"
#include "gate/verbs/verbs.hpp"

extern char** environ;

namespace driftgate::gate::verbs {

int report(const report_request& request) {
  setenv("PYTHONPATH", report_folder().c_str(), 1);
  std::vector<std::string> words{"/usr/bin/python3", "-B", "-m", "driftgate_report"};
  words.insert(words.end(), request.folders.begin(), request.folders.end());
  if (!request.out.empty()) {
    words.emplace_back("--out");
    words.push_back(request.out);
  }
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  std::fflush(nullptr);
  const int failed = posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (failed != 0) {
    throw std::system_error(failed, std::generic_category(), "no page: cannot start " + words[0]);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    throw std::system_error(errno, std::generic_category(), "how the page's program ended is lost");
  }
  if (WIFSIGNALED(status)) {
    throw std::runtime_error(fmt::format("no page: its program was ended by signal {} ({})",
                                         WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  return WEXITSTATUS(status);
}

}  // namespace driftgate::gate::verbs
