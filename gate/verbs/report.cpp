// The report is Python's work (reports/driftgate_report); this starts it.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

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
    fmt::print(stderr, "driftgate: no report: cannot start {}: {}\n", words[0],
               std::strerror(failed));
    return suite_failed;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : suite_failed;
}

}  // namespace driftgate::gate::verbs
