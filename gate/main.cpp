// The program: reads the command line, runs a verb, turns what went wrong into one sentence.
#include <fmt/format.h>

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <string_view>

#include "gate/campaign.hpp"
#include "gate/host/child.hpp"
#include "gate/records/check_document.hpp"
#include "gate/records/version.hpp"
#include "gate/terminal/terminal.hpp"
#include "gate/verbs/verbs.hpp"
#include "kernels/abi/registry.hpp"

namespace driftgate::gate {
namespace {

const std::map<std::string, properties::level> levels{{"quick", properties::level::quick},
                                                      {"full", properties::level::full}};

void add_level(CLI::App* verb, properties::level& depth) {
  verb->add_option_function<std::string>(
          "--level", [&](const std::string& name) { depth = levels.at(name); },
          "quick or full: how many cases (driftgate list)")
      ->check(CLI::IsMember(levels));
}

// A program that asked for JSON gets it even if the rest of its words make no sense.
void answer_in_json(int argc, char** argv, const std::string& sentence) {
  const std::vector<std::string_view> words(argv, argv + argc);
  constexpr std::string_view joined = "--json=";
  if (argc < 2 || words[1] != "check") return;
  for (std::size_t i = 2; i < words.size(); ++i) {
    std::string where;
    if (words[i].starts_with(joined)) where = words[i].substr(joined.size());
    if (words[i] == "--json" && i + 1 < words.size()) where = words[i + 1];
    if (where.empty()) continue;
    write_document(where, check_document("").finished(bad_usage, sentence));
    return;
  }
}

int run_verb(int argc, char** argv) {
  CLI::App app{"driftgate: the numerics gate for optimizer kernels"};
  app.require_subcommand(1);
  app.set_version_flag("--version", version::number);
  app.failure_message(CLI::FailureMessage::simple);
  const std::vector<std::string> command(argv, argv + argc);
  int code = all_verified;

  verbs::verify_request verify;
  verify.command = command;
  auto* verify_verb = app.add_subcommand("verify", "run the laws on the kernels in this program");
  verify_verb->add_option("KERNEL", verify.kernels, "kernels (default: all)");
  add_level(verify_verb, verify.depth);
  verify_verb
      ->add_option("--device", verify.device,
                   "cpu, cuda or all (default: cpu, and cuda where there is one)")
      ->check(CLI::IsMember({"cpu", "cuda", "all"}));
  verify_verb->add_option("--require", verify.require, "fail with 3 if there is no such device")
      ->check(CLI::IsMember({"cuda"}));
  verify_verb->add_option("--seed", verify.seed, "of the generated cases")->capture_default_str();
  verify_verb->add_option("--out", verify.out, "folder of records and page")->capture_default_str();
  verify_verb->add_flag("-v,--verbose", verify.verbose, "print the distribution of the inputs");
  verify_verb->add_flag("!--no-page", verify.page, "write no HTML page");
  verify_verb->callback([&] { code = verbs::verify(verify); });

  verbs::check_request check;
  check.command = command;
  auto* check_verb = app.add_subcommand("check", "run the laws on the kernels of a plugin");
  check_verb->add_option("PLUGIN", check.plugin, "a shared object")->required();
  check_verb->add_option("--kernel", check.kernel, "one of its kernels (default: all)");
  add_level(check_verb, check.depth);
  check_verb->add_option("--seed", check.seed, "of the generated cases")->capture_default_str();
  check_verb->add_option("--timeout", check.timeout, "seconds a call may take")
      ->check(CLI::Range(0.001, 86400.0))
      ->capture_default_str();
  check_verb->add_option("--json", check.json,
                         "write the verdicts to a file, or - for standard output");
  check_verb->add_option("--out", check.out, "folder of failing cases")->capture_default_str();
  check_verb
      ->add_option("--expect-caught-by", check.expect_caught_by,
                   "LAW[:VERDICT]: succeed only if this law catches every kernel, with this "
                   "verdict or else with any of its own (not a crash, a hang, an error code)")
      ->excludes("--json");
  check_verb->callback([&] { code = verbs::check(check); });

  std::filesystem::path file;
  double timeout = 30;
  auto* replay_verb = app.add_subcommand("replay", "run one failing case again");
  replay_verb->add_option("FILE", file, "a failure file")->required();
  replay_verb->add_option("--timeout", timeout, "seconds a call may take")
      ->check(CLI::Range(0.001, 86400.0))
      ->capture_default_str();
  replay_verb->callback([&] { code = verbs::replay(file, timeout); });

  std::string rule;
  auto* explain_verb =
      app.add_subcommand("explain", "print a rule: equations, roles, forms, budgets");
  explain_verb->add_option("RULE", rule, "as listed by list")->required();
  explain_verb->callback([&] { code = verbs::explain(rule); });

  app.add_subcommand("list", "list kernels, rules and laws")->callback([&] {
    code = verbs::list();
  });

  verbs::bench_request bench;
  auto* bench_verb = app.add_subcommand("bench", "time kernels against copies in the same run");
  bench_verb->add_option("KERNEL", bench.kernels, "kernels (default: all)");
  bench_verb
      ->add_option("--device", bench.device, "cpu or cuda (default: both, where there is one)")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  bench_verb->add_option("--json", bench.json, "write the figures to a file");
  bench_verb->callback([&] { code = verbs::bench(bench, abi::registered_kernels()); });

  verbs::report_request report;
  auto* report_verb = app.add_subcommand("report", "make an HTML page of records");
  report_verb->add_option("DIR", report.folders, "folders with records.jsonl")->required();
  report_verb->add_option("--out", report.out, "folder of the page (default: out/report)");
  report_verb->callback([&] { code = verbs::report(report); });

  try {
    // CLI11 would only say that a verb is required.
    const auto verbs = app.get_subcommands(
        [&](const CLI::App* verb) { return argc > 1 && verb->get_name() == argv[1]; });
    if (argc > 1 && argv[1][0] != '-' && verbs.empty()) {
      throw bad_request(fmt::format("there is no verb \"{}\"; see driftgate --help", argv[1]));
    }
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    const auto sentence = fmt::format("{}; see driftgate --help", error.what());
    answer_in_json(argc, argv, sentence);
    throw bad_request(sentence);
  }
  return code;
}

// Where a caller has closed one of the first three descriptors, the next file would get its number,
// and what is printed would go there. These fail when they are used for what they stand for.
void occupy_standard_descriptors() {
  for (int wanted = 0; wanted < 3; ++wanted) {
    if (fcntl(wanted, F_GETFD) < 0) open("/dev/null", wanted == 0 ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace
}  // namespace driftgate::gate

int main(int argc, char** argv) {
  using namespace driftgate;
  gate::host::run_if_child(argc, argv, abi::registered_kernels);
  gate::occupy_standard_descriptors();
  // Both are errors of write(), which have their sentences.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // Whoever started this program may ignore it, and then no child's end could be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  int code = gate::suite_failed;
  try {
    code = gate::run_verb(argc, argv);
    const std::string lost = gate::terminal::output_error();
    if (lost.empty() || code == gate::suite_failed) return code;
    gate::terminal::complain(lost);
    return gate::suite_failed;
  } catch (const std::exception& e) {
    gate::terminal::complain(e.what());
    return gate::exit_code_of(e);
  }
}
