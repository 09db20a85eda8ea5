// What can be wrong with a plugin before one of its kernels is called.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>

#include "tests/gate/host/host_fixture.hpp"

namespace driftgate::gate::host {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// The reason why the plugin cannot be used; empty if it can.
std::string complaint(const kernel_source& source, const options& how = {}) {
  try {
    describe(source, how);
  } catch (const unusable_plugin& reason) {
    return reason.what();
  }
  return "";
}

std::string complaint_about(const std::string& field) {
  setenv("FIELD", field.c_str(), 1);
  return complaint(plugin_source("one_field_wrong"));
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
#define EXPECT_CONTAINS(text, part) EXPECT_PRED2(contains, text, part)

// A file that is removed with the test.
class Loading : public testing::Test {
 protected:
  Loading() { fs::create_directories(folder_); }
  ~Loading() override { fs::remove_all(folder_); }

  fs::path file(const std::string& contents) const {
    std::ofstream(folder_ / "plugin.so", std::ios::binary) << contents;
    return folder_ / "plugin.so";
  }

  static std::string contents(const std::string& plugin) {
    std::ifstream whole(plugin_source(plugin).plugin, std::ios::binary);
    return {std::istreambuf_iterator<char>(whole), {}};
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("driftgate_" + std::to_string(getpid()));
};

TEST_F(Loading, TheWordsOfEveryKernelArrive) {
  const auto all = describe(plugin_source("good"));

  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].words.name, "descends");
  EXPECT_EQ(all[0].words.dtypes, "param=f32 grad=f32");
  EXPECT_EQ(all[0].words.budget, "");
  EXPECT_EQ(all[4].words.name, "counts");
}

TEST_F(Loading, TheProgramsOwnKernelsAreFoundInTheChildOnly) {
  const auto all = describe({});

  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].words.name, "own");
}

TEST_F(Loading, APluginMayBeNamedWithoutAFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(plugin_source("good").plugin.parent_path());
  EXPECT_EQ(complaint({"good.so"}), "");
  fs::current_path(before);
}

TEST_F(Loading, WhatIsNoSharedObjectIsRefused) {
  EXPECT_CONTAINS(complaint({folder_ / "missing.so"}), "there is no such file");
  EXPECT_CONTAINS(complaint({folder_}), "it is a folder");
  EXPECT_CONTAINS(complaint({"/dev/null"}), "it is not a regular file");
  EXPECT_CONTAINS(complaint({file("")}), "it is empty");
  EXPECT_CONTAINS(complaint({file("int main() {}")}), "its first bytes are not those of an ELF");
  EXPECT_CONTAINS(complaint({file("\x7f"
                                  "E")}),
                  "its first bytes are not those of an ELF");
}

TEST_F(Loading, APartOfAFileIsRefused) {
  const std::string bytes = contents("good");
  EXPECT_CONTAINS(complaint({file(bytes.substr(0, 40))}), "it is cut off: it has 40 bytes");
  for (const std::size_t size : {100, 4096, 8192}) {
    EXPECT_CONTAINS(complaint({file(bytes.substr(0, size))}),
                    "it is cut off: it has " + std::to_string(size) + " of ");
  }
}

TEST_F(Loading, AFileForAnotherMachineIsNamedAsSuch) {
  std::string bytes = contents("good");
  bytes[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(EM_RISCV);
  bytes[offsetof(Elf64_Ehdr, e_machine) + 1] = 0;
  EXPECT_CONTAINS(complaint({file(bytes)}),
                  "it is for another processor (ELF class 2, machine 243");

  bytes = contents("good");
  bytes[EI_CLASS] = ELFCLASS32;
  EXPECT_CONTAINS(complaint({file(bytes)}), "it is for another processor (ELF class 1");
}

TEST_F(Loading, AnObjectFileIsNamedAsSuch) {
  std::string bytes = contents("good");
  bytes[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
  EXPECT_CONTAINS(complaint({file(bytes)}), "no shared object (type 1; link it with -shared)");
}

TEST_F(Loading, DamagedHeadersAreAReasonNotACrash) {
  const std::string whole = contents("good");
  for (std::size_t at = EI_NIDENT; at < 0x400; at += 7) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(~bytes[at]);
    try {
      describe({file(bytes)});
    } catch (const unusable_plugin&) {
    } catch (const std::runtime_error& lack) {  // a size that no memory has
      EXPECT_CONTAINS(lack.what(), "Cannot allocate memory");
    }
  }
}

TEST_F(Loading, AMissingSymbolIsNamed) {
  EXPECT_CONTAINS(complaint(plugin_source("unresolved")), "dg_nobody_has_written_this");
}

TEST_F(Loading, WhateverTheTableFunctionDoesIsAReason) {
  EXPECT_CONTAINS(complaint_about("throws"), "an exception (no table today) left the kernel");
  EXPECT_CONTAINS(complaint_about("aborts"), "signal 6 (Aborted) in loading it");
  EXPECT_CONTAINS(complaint_about("count"), "gave 1000000000 kernels, and 4096 is the most");
  options patient_for_a_moment;
  patient_for_a_moment.timeout = milliseconds(300);
  setenv("FIELD", "hangs", 1);
  EXPECT_CONTAINS(complaint(plugin_source("one_field_wrong"), patient_for_a_moment),
                  "no answer within 0.3 s from loading it");
}

TEST_F(Loading, PrintingWhileLoadingIsNoFault) {
  EXPECT_EQ(complaint_about("prints"), "");
}

TEST_F(Loading, APathMayHaveSpaces) {
  fs::copy(plugin_source("good").plugin, folder_ / "with some spaces.so");
  EXPECT_EQ(complaint({folder_ / "with some spaces.so"}), "");
}

TEST_F(Loading, ASharedObjectWithoutKernelsIsRefused) {
  EXPECT_CONTAINS(complaint(plugin_source("no_symbol")), "does not export dg_plugin_kernels");
  EXPECT_CONTAINS(complaint(plugin_source("returns_code")), "dg_plugin_kernels returned 5");
  EXPECT_CONTAINS(complaint(plugin_source("null_table")), "a null table");
  EXPECT_CONTAINS(complaint(plugin_source("negative_count")), "-2 kernels");
  EXPECT_CONTAINS(complaint(plugin_source("no_kernels")), "no kernel");
}

TEST_F(Loading, AnIncompleteTableIsRefused) {
  EXPECT_CONTAINS(complaint_about("abi_version"), "kernel 1 is of ABI version 2");
  EXPECT_CONTAINS(complaint_about("struct_bytes"), "kernel 0 says that its table has only 16");
  EXPECT_CONTAINS(complaint_about("name"), "kernel 1 has no name");
  EXPECT_CONTAINS(complaint_about("empty name"), "the name of kernel 1 is not one word");
  EXPECT_CONTAINS(complaint_about("strange name"), "the name of kernel 1 is not one word");
  EXPECT_CONTAINS(complaint_about("same name"), "two kernels have the name \"one\"");
  EXPECT_CONTAINS(complaint_about("rule"), "kernel 1 has no rule");
  EXPECT_CONTAINS(complaint_about("device"), "kernel 1 has no device");
  EXPECT_CONTAINS(complaint_about("dtypes"), "kernel 1 has no dtypes");
  EXPECT_CONTAINS(complaint_about("step"), "kernel 1 has no step");
}

TEST_F(Loading, ACrashInTheTableIsAReasonNotACrash) {
  EXPECT_CONTAINS(complaint_about("wild dtypes"),
                  "signal 11 (Segmentation fault) in loading it: it read at address 0x10");
}

TEST_F(Loading, ALibraryThatEndsTheProcessIsRefused) {
  EXPECT_CONTAINS(complaint(plugin_source("crashes_on_load")), "signal 6 (Aborted) in loading it");
  EXPECT_NE(complaint(plugin_source("throws_on_load")), "");
  EXPECT_CONTAINS(complaint(plugin_source("exits_on_load")),
                  "exited with status 0 in the middle of loading it");
}

TEST_F(Loading, ALibraryThatHangsIsRefused) {
  options patient_for_a_moment;
  patient_for_a_moment.timeout = milliseconds(500);
  EXPECT_CONTAINS(complaint(plugin_source("hangs_on_load"), patient_for_a_moment),
                  "no answer within 0.5 s from loading it");
}

TEST_F(Loading, AnUnknownKernelNamesTheKnownOnes) {
  try {
    open_plugin("good", "missing");
    FAIL();
  } catch (const unusable_plugin& reason) {
    EXPECT_CONTAINS(reason.what(), "no kernel \"missing\"; there are descends, noisy,");
  }
}

TEST_F(Loading, FlushToZeroSetByALibraryIsReportedAndUndone) {
  const auto kernel = open_plugin("flushes_on_load", "descends");

  const auto outcome = run_one(*kernel, descent({1}));

  EXPECT_FALSE(outcome.floating_point_environment_kept);
}

TEST_F(Loading, APluginThatChangesItsContractIsCaught) {
  setenv("COUNTER", (folder_ / "counter").c_str(), 1);
  const auto kernel = open_plugin("changes_its_mind", "descends");

  kernel->restart();
  const auto outcome = run_one(*kernel, descent({1}));

  EXPECT_EQ(outcome.status, properties::run_status::crashed);
  EXPECT_CONTAINS(outcome.detail, "described itself otherwise");
}

TEST_F(Loading, TheKernelThatIsOpenedIsTheOneThatWasDescribed) {
  const auto own = describe({}).at(0);
  EXPECT_EQ(open({}, own)->promised().name, "own");

  setenv("COUNTER", (folder_ / "counter").c_str(), 1);
  const kernel_source source = plugin_source("changes_its_mind");
  const auto first = describe(source).at(0);
  EXPECT_EQ(first.words.numerics, "bits=reproducible");
  try {
    open(source, first);
    FAIL();
  } catch (const unusable_plugin& reason) {
    EXPECT_CONTAINS(reason.what(), "kernel \"descends\" described itself otherwise");
  }
  const auto second = describe(source).at(0);
  EXPECT_EQ(open(source, second)->promised().reproducible, false);
}

TEST_F(Loading, AFileThatIsReplacedAfterItsDescriptionIsNotOpened) {
  const kernel_source source{file(contents("good"))};
  const auto described = describe(source).at(0);
  fs::remove(source.plugin);
  fs::copy(plugin_source("good").plugin, source.plugin);
  try {
    open(source, described);
    FAIL();
  } catch (const unusable_plugin&) {
    FAIL() << "a build that replaces a plugin is no fault of the kernel";
  } catch (const std::runtime_error& reason) {
    EXPECT_CONTAINS(reason.what(), "was changed or removed while it was under test");
  }
}

}  // namespace
}  // namespace driftgate::gate::host
