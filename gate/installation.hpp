// What the program needs beside itself, and where that is.
#pragma once

#include <filesystem>
#include <string>

namespace driftgate::gate {

// The folder of the Python package driftgate_report: <prefix>/share/driftgate/reports of an
// installed program, wherever its prefix was moved to, else the one in the sources it was built
// from.
std::filesystem::path report_folder();

// How a user calls this program: by its path where it is installed, in the sources by the launcher.
std::string program_command();

}  // namespace driftgate::gate
