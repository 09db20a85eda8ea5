// What a person sees: progress while a campaign runs, the table of kernels and laws, a failure.
#pragma once

#include <string>

#include "gate/records/record.hpp"

namespace driftgate::gate::terminal {

// To standard output, at once. What cannot be written is lost, and output_error() says so at the
// end: a reader who has gone away is no reason to give up a run.
void print(const std::string& text);
// One sentence, if anything could not be written to standard output; else empty.
std::string output_error();
// "driftgate: sentence" on one line of standard error.
void complain(const std::string& sentence);

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
