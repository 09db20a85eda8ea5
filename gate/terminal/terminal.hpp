// What a person sees: progress while a campaign runs, the table of kernels and laws, a failure.
#pragma once

#include <string>

#include "gate/records/record.hpp"

namespace driftgate::gate::terminal {

// One line on standard error that is rewritten, if that is a terminal.
void progress(const std::string& kernel, const std::string& law, double done);
void clear_progress();

std::string kernel_heading(const properties::contract& kernel, const std::string& source);
std::string table_header();
std::string table_row(const result& r);
// The smallest case, got / exact / allowed, the stage, and how to replay it.
std::string failure_text(const result& r, const rules::description& rule);
// The shares of input kinds, for `verify -v`; empty where the law judges no drawn inputs.
std::string distribution_text(const result& r);

// 1234567 as "1 234 567".
std::string grouped(std::uint64_t n);

}  // namespace driftgate::gate::terminal
