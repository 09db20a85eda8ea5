#pragma once

namespace driftgate::gate::version {

extern const char* const number;   // "0.1.0"
extern const char* const reports;  // the folder of the Python package driftgate_report
extern const char* const commit;  // of the sources, with "+" if they were changed; empty if unknown

}  // namespace driftgate::gate::version
