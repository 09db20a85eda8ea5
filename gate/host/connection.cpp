#include "gate/host/connection.hpp"

#include <fmt/format.h>

#include <cstring>

#include "gate/host/plugin_file.hpp"

namespace driftgate::gate::host {
namespace {

using properties::contract_words;
using properties::run_status;

constexpr const char* changed_its_mind = "described itself otherwise than the first time";

std::string name_of(const child_process::launch& how) {
  return how.plugin.empty() ? "The program's own kernels" : fmt::format("\"{}\"", how.plugin);
}

}  // namespace

connection::connection(const kernel_source& source, const options& how)
    : launch_{how.program,
              // dlopen searches the system's folders for a name without a slash.
              source.plugin.empty() ? "" : std::filesystem::absolute(source.plugin).string(),
              how.timeout, how.while_waiting} {}

std::vector<contract_words> connection::describe() {
  if (!launch_.plugin.empty()) {
    const std::string fault = fault_of_file(launch_.plugin);
    if (!fault.empty()) {
      throw unusable_plugin(fmt::format("\"{}\" is no usable plugin: {}.", launch_.plugin, fault));
    }
  }
  file_ = identity_of(launch_.plugin);
  const auto refuse = [&](std::string_view reason) {
    return unusable_plugin(fmt::format("{} cannot be used: {}.", name_of(launch_), reason));
  };
  std::string_view where = "loading it";
  try {
    child_ = std::make_unique<child_process>(launch_, script, arena);
    const std::size_t count = load();
    where = "describing its kernels";
    std::vector<contract_words> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(words_of(i));
    return all;
  } catch (const child_failure& failure) {
    child_.reset();
    throw refuse(sentence(failure, where));
  } catch (const unusable_plugin& reason) {
    child_.reset();
    throw refuse(reason.what());
  }
}

void connection::choose(std::size_t kernel, const contract_words& words) {
  kernel_ = kernel;
  words_ = words;
  words_of(kernel);
  if (words.device == "cuda") on_device = std::make_unique<device::memory>();
}

void connection::require(const description& known) const {
  check_unchanged(known.file, file_);
  if (words_ != known.words) {
    throw unusable_plugin(fmt::format("{} cannot be used: kernel \"{}\" {}.", name_of(launch_),
                                      words_.name, changed_its_mind));
  }
}

void connection::check_unchanged(const file_identity& known, const file_identity& now) const {
  if (launch_.plugin.empty() || known == now) return;
  throw std::runtime_error(
      fmt::format("\"{}\" was changed or removed while it was under test", launch_.plugin));
}

void connection::start() {
  if (child_) return;
  check_unchanged(file_, identity_of(launch_.plugin));
  child_ = std::make_unique<child_process>(launch_, script, arena);
  const auto changed = [](const std::string& how) {
    return child_failure(run_status::crashed, fmt::format("{} in ", how));
  };
  try {
    if (kernel_ >= load() || words_of(kernel_) != words_) {
      throw changed(changed_its_mind);
    }
  } catch (const unusable_plugin& reason) {
    throw changed(fmt::format("could not be used again ({})", reason.what()));
  }
}

child_process::answer connection::call(verb what, std::uint32_t plan, std::uint64_t argument,
                                       std::span<const std::uint64_t> payload) {
  const auto answer = child_->call(what, plan, argument, payload);
  if (answer.header.kind == reply_kind::refused) throw unusable_plugin(printable(answer.text));
  return answer;
}

void connection::set_script(const word_writer& words) {
  script.grow(words.words().size_bytes());
  std::memcpy(script.data(), words.words().data(), words.words().size_bytes());
}

void connection::begin(std::size_t used) {
  word_writer sizes;
  sizes.number(script.bytes());
  sizes.number(on_device ? used : arena.bytes());
  sizes.number(on_device ? 1 : 0);
  if (on_device) {
    for (const std::uint64_t word : on_device->share()) sizes.number(word);
  }
  call(verb::begin, 0, 0, sizes.words());
  if (on_device) on_device->free_old();  // the child has let go of it
}

std::size_t connection::load() {
  const auto answer = call(verb::load);
  loads_quietly_ = answer.header.environment_kept != 0;
  return answer.header.value;
}

contract_words connection::words_of(std::size_t kernel) {
  const auto answer = call(verb::describe, 0, kernel);
  has_workspace_ = answer.header.value != 0;
  contract_words words;
  std::string_view rest = answer.text;
  for (std::string* word : {&words.name, &words.rule, &words.device, &words.dtypes, &words.options,
                            &words.numerics, &words.budget}) {
    const std::size_t end = rest.find('\0');
    *word = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return words;
}

std::string sentence(const child_failure& failure, std::string_view where, std::string_view place) {
  std::string text = fmt::format("{}{}", failure.what(), where);
  if (const auto& fault = failure.fault) {
    text += fault->touched == access::write  ? ": it wrote "
            : fault->touched == access::read ? ": it read "
                                             : ": it touched ";
    text += place.empty() ? fmt::format("at address {:#x}", fault->value) : place;
  }
  if (!failure.last_words.empty()) {
    text += fmt::format("; its stderr ends with \"{}\"", failure.last_words);
  }
  return text;
}

}  // namespace driftgate::gate::host
