"""The installed package as an outside project meets it.

Installs the build tree into a prefix, moves that, and lets the projects in examples/ use it. Run by
ctest with CMAKE, CTEST, GENERATOR, CC, CXX, BUILD (the build tree), EXAMPLES and SCRATCH (a folder
to work in) in the environment.
"""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

EXAMPLES, SCRATCH = Path(os.environ["EXAMPLES"]), Path(os.environ["SCRATCH"])
PREFIX = SCRATCH / "moved"
CUDA = "/usr/local/cuda/bin"  # where NVIDIA's packages put nvcc


def run(*words, folder=SCRATCH):
    environment = os.environ | {"PATH": os.environ["PATH"] + os.pathsep + CUDA}
    return subprocess.run([*map(str, words)], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        SCRATCH.mkdir(parents=True)
        installed = SCRATCH / "installed"
        done = run(os.environ["CMAKE"], "--install", os.environ["BUILD"], "--prefix", installed)
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        installed.rename(PREFIX)

    def succeed(self, *words, **where):
        done = run(*words, **where)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def gate(self, project, *options):
        """Configures and builds the project; returns what its ctest -L gate did."""
        build = project / "build"
        configured = self.succeed(
            os.environ["CMAKE"], "-S", project, "-B", build, "-G", os.environ["GENERATOR"],
            f"-DCMAKE_PREFIX_PATH={PREFIX}", *options)
        self.assertNotIn("Warning", configured)
        self.succeed(os.environ["CMAKE"], "--build", build)
        return run(os.environ["CTEST"], "--test-dir", build, "-L", "gate", "--output-on-failure")

    def example(self, name):
        return Path(shutil.copytree(EXAMPLES / "external_kernel", SCRATCH / name,
                                    ignore=shutil.ignore_patterns("build")))

    def test_a_right_kernel_outside_passes_its_gate(self):
        project = self.example("right")
        done = self.gate(project)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("gate.my_adamw", done.stdout)
        self.assertIn("100% tests passed, 0 tests failed out of 1", done.stdout)
        if shutil.which("nvcc", path=os.environ["PATH"] + os.pathsep + CUDA):
            self.assertTrue(list(project.glob("build/**/my_adamw.cuda.cu.o")))

    def test_a_wrong_kernel_outside_fails_its_gate(self):
        project = self.example("wrong")
        source = project / "my_adamw/my_adamw.cu"
        right, wrong = "static_cast<float>(1 - beta2)", "1 - static_cast<float>(beta2)"
        self.assertEqual(source.read_text().count(right), 1)
        source.write_text(source.read_text().replace(right, wrong))
        done = self.gate(project, "-DCMAKE_CUDA_COMPILER=NOTFOUND")
        self.assertEqual(done.returncode, 8, done.stdout)  # ctest's code for failed tests
        self.assertRegex(done.stdout, r"my_adamw matches_oracle: diverged")
        replay = re.search(r"^ *replay +(.*)$", done.stdout, re.MULTILINE).group(1)
        self.assertEqual(run("sh", "-c", replay, folder=project / "build").returncode, 1, replay)
        self.assertIn("0% tests passed, 1 tests failed out of 1", done.stdout)

    def test_a_folder_without_a_kernel_is_an_error(self):
        project = self.example("empty")
        (project / "my_adamw/my_adamw.cu").unlink()
        done = run(os.environ["CMAKE"], "-S", project, "-B", project / "build", "-G",
                   os.environ["GENERATOR"], f"-DCMAKE_PREFIX_PATH={PREFIX}",
                   "-DCMAKE_CUDA_COMPILER=NOTFOUND")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("there is no .cu file in", done.stdout)

    def test_a_plugin_in_c_needs_the_header_only(self):
        plugin = SCRATCH / "mine.so"
        self.succeed(os.environ["CC"], "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2",
                     "-ffp-contract=off", "-shared", "-fPIC", "-I", PREFIX / "include",
                     EXAMPLES / "mine.c", "-o", plugin, "-lm")
        self.succeed(PREFIX / "bin/driftgate", "check", plugin)

    def test_the_report_tool_is_the_one_beside_the_program(self):
        copy = Path(shutil.copytree(PREFIX, SCRATCH / "elsewhere"))
        (copy / "share/driftgate/reports/driftgate_report/__main__.py").write_text("exit(77)")
        self.assertEqual(run(copy / "bin/driftgate", "report", SCRATCH).returncode, 77)

    def test_the_installed_program_verifies_and_reports(self):
        out = SCRATCH / "out"
        self.succeed(PREFIX / "bin/driftgate", "verify", "adamw_plain", "--out", out)
        self.assertIn("adamw_plain", (out / "report/index.html").read_text())


if __name__ == "__main__":
    unittest.main()
