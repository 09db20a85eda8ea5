#include "gate/host/host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "gate/host/connection.hpp"
#include "gate/host/guard_pattern.hpp"
#include "gate/host/repeated_run.hpp"
#include "gate/host/session.hpp"

namespace driftgate::gate::host {
namespace {

using properties::contract;
using properties::contract_words;

class hosted_kernel final : public properties::subject {
 public:
  hosted_kernel(const kernel_source& source, const std::string& name, const std::string& device,
                const options& how)
      : child_(source, how), pattern_(how.seed) {
    const std::vector<contract_words> all = child_.describe();
    std::vector<std::string> names;
    for (const contract_words& words : all) {
      if (words.name == name && words.device == device) {
        promised_ = properties::parse_contract(words);
        child_.choose(names.size(), words);
      }
      names.push_back(words.name);
    }
    if (promised_.name.empty()) {
      throw unusable_plugin(
          fmt::format("There is no kernel \"{}\"; there are {}.", name, fmt::join(names, ", ")));
    }
    if (device == "cuda" && !device::missing().empty()) {
      throw properties::unsupported_error(
          fmt::format("Kernel \"{}\" cannot run: {}.", name, device::missing()));
    }
  }

  // Throws unless this is the kernel that was described.
  void require(const description& known) const { child_.require(known); }

  const contract& promised() const override { return promised_; }

  std::vector<properties::outcome> run(std::span<const properties::job> jobs) override {
    // The first run sees every stray write by its bands; the next ones see stray reads, too.
    constexpr std::array<fences, placements> turns{fences::none, fences::after, fences::none,
                                                   fences::before};
    pattern_.renew();
    return session(child_, promised_, pattern_, turns[turn_++ % turns.size()], jobs).run();
  }

  repeated_outcome run_repeated(const properties::job& one, std::int64_t elements) override {
    if (!child_.on_device) return subject::run_repeated(one, elements);
    return host::run_repeated(child_, promised_, pattern_, one, elements);
  }

  void turn_to(std::size_t turn) override { turn_ = turn; }

  void restart() override { child_.stop(); }

 private:
  connection child_;
  guard_pattern pattern_;
  contract promised_;
  std::size_t turn_ = 0;
};

}  // namespace

std::vector<description> describe(const kernel_source& source, const options& how) {
  connection asked(source, how);
  std::vector<description> all;
  for (const contract_words& words : asked.describe()) all.push_back({words, asked.file()});
  return all;
}

std::unique_ptr<properties::subject> open(const kernel_source& source, const std::string& kernel,
                                          const options& how, const std::string& device) {
  return std::make_unique<hosted_kernel>(source, kernel, device, how);
}

std::unique_ptr<properties::subject> open(const kernel_source& source, const description& kernel,
                                          const options& how) {
  auto opened =
      std::make_unique<hosted_kernel>(source, kernel.words.name, kernel.words.device, how);
  opened->require(kernel);
  return opened;
}

}  // namespace driftgate::gate::host
