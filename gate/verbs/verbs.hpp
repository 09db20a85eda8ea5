// The program's verbs. Each returns the exit code; a sentence goes to standard error where it is 2
// or 4.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "driftgate/kernel.h"
#include "properties/laws/law.hpp"

namespace driftgate::gate::verbs {

struct verify_request {
  std::vector<std::string> kernels;  // empty: all
  properties::level depth = properties::level::quick;
  std::string device;  // cpu, cuda or all; empty: the host, and the device where there is one
  std::string require;
  std::uint64_t seed = 1;
  std::filesystem::path out = "out";
  bool verbose = false;
  bool page = true;
  std::vector<std::string> command;
};
int verify(const verify_request& request);

struct check_request {
  std::filesystem::path plugin;
  std::string kernel;  // empty: all of the plugin
  properties::level depth = properties::level::quick;
  std::uint64_t seed = 1;
  double timeout = 30;  // seconds, of one call
  std::string json;     // a file, or "-" for standard output
  std::filesystem::path out = "out";
  std::string expect_caught_by;  // a law: succeed only if it catches the plugin
  std::vector<std::string> command;
};
int check(const check_request& request);

int replay(const std::filesystem::path& file, double timeout);
int explain(const std::string& name);
int list();

struct bench_request {
  std::vector<std::string> kernels;  // empty: all
  std::string device;                // cpu or cuda; empty: both, where there is one
  std::string json;                  // a file for the figures, or none
};
// Times the steps of the program's own kernels, against copies in the same run.
int bench(const bench_request& request, const std::vector<const dg_kernel*>& kernels);

struct report_request {
  std::vector<std::string> folders;
  std::string out;
};
// Where the page's program cannot be started, or does not end by itself, it throws.
int report(const report_request& request);

}  // namespace driftgate::gate::verbs
