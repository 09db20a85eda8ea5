"""What the tests of the program share.

Run by ctest with, in the environment: DRIFTGATE (the program), MUTANT (a plugin that matches_oracle
catches), CONTROL (a right plugin), CRASHING and HANGING (plugins), WORDS (plugins/words.cpp) and
PLUGINS (the folder of the host's test plugins). Other mutants lie beside MUTANT.
"""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["DRIFTGATE"]
MUTANT, CONTROL, WORDS = (os.environ[name] for name in ("MUTANT", "CONTROL", "WORDS"))
CRASHING, HANGING = os.environ["CRASHING"], os.environ["HANGING"]
PLUGINS = Path(os.environ["PLUGINS"])
MUTANTS = Path(MUTANT).parent
CLOSED_SET = {"verified", "diverged", "biased", "nan_mismatch", "unwritten", "out_of_bounds_write",
              "input_modified", "nondeterministic", "bits_differ", "error_code", "crashed",
              "timed_out", "budget_exceeded", "ill_posed", "skipped"}


class ProgramCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_program(self, *words, environment=None, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder} | how
        return subprocess.run([PROGRAM, *map(str, words)], text=True, timeout=300,
                              env={**os.environ, **(environment or {})}, **how)

    def start_program(self, *words, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder} | how
        running = subprocess.Popen([PROGRAM, *map(str, words)], text=True, **how)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        return running

    def sentence(self, done):
        """The one sentence on standard error."""
        self.assertTrue(done.stderr.startswith("driftgate: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.endswith("\n"), done.stderr)
        return done.stderr

    def records(self, folder="out"):
        lines = (self.folder / folder / "records.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]
