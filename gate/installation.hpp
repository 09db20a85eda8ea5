// What the program needs beside itself, and where that is.
#pragma once

#include <filesystem>

namespace driftgate::gate {

// The folder of the Python package driftgate_report: <prefix>/share/driftgate/reports of an
// installed program, wherever its prefix was moved to, else the one in the sources it was built
// from.
std::filesystem::path report_folder();

}  // namespace driftgate::gate
