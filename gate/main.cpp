// The program: reads the command line, runs a verb, turns what went wrong into one sentence.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "gate/campaign.hpp"
#include "gate/host/child.hpp"
#include "gate/records/failure_file.hpp"
#include "gate/records/version.hpp"
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
  verify_verb->add_option("--device", verify.device, "cpu, cuda or all")
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
  check_verb->add_option("--expect-caught-by", check.expect_caught_by,
                         "a law: succeed only if it catches the plugin");
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
    fmt::print(stderr, "driftgate: {}; see driftgate --help\n", error.what());
    return bad_usage;
  }
  return code;
}

}  // namespace
}  // namespace driftgate::gate

int main(int argc, char** argv) {
  using namespace driftgate;
  gate::host::run_if_child(argc, argv, abi::registered_kernels);
  std::signal(SIGPIPE, SIG_IGN);
  const auto stop = [](int code, const char* sentence) {
    std::fflush(stdout);
    fmt::print(stderr, "driftgate: {}\n", sentence);
    return code;
  };
  try {
    return gate::run_verb(argc, argv);
  } catch (const gate::bad_request& e) {
    return stop(gate::bad_usage, e.what());
  } catch (const gate::host::unusable_plugin& e) {
    return stop(gate::bad_usage, e.what());
  } catch (const gate::unreadable_failure& e) {
    return stop(gate::bad_usage, e.what());
  } catch (const properties::contract_error& e) {
    return stop(gate::bad_usage, e.what());
  } catch (const properties::unsupported_error& e) {
    return stop(gate::bad_usage, e.what());
  } catch (const std::exception& e) {  // the suite itself: precision, audit, memory, disk
    return stop(gate::suite_failed, e.what());
  }
}
