"""The program as a user meets it: verbs, exit codes, what is printed where, records, replay.

Run by ctest with DRIFTGATE (the program), MUTANT (a plugin that matches_oracle catches), CONTROL (a
right plugin), CRASHING and HANGING (plugins) in the environment.
"""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["DRIFTGATE"]
CLOSED_SET = {"verified", "diverged", "biased", "nan_mismatch", "unwritten", "out_of_bounds_write",
              "input_modified", "nondeterministic", "bits_differ", "error_code", "crashed",
              "timed_out", "budget_exceeded", "ill_posed", "skipped"}


class Program(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_program(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, timeout=300)

    def sentence(self, done):
        """The one sentence on standard error."""
        self.assertTrue(done.stderr.startswith("driftgate: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def records(self):
        return [json.loads(line) for line in (self.folder / "out/records.jsonl").open()]

    def test_a_verified_kernel_exits_0_and_leaves_whole_records(self):
        done = self.run_program("verify", "adamw_plain", "--no-page", "--seed", "3")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        first, *results, last = self.records()
        self.assertEqual((first["type"], first["seed"], first["level"]), ("run", 3, "quick"))
        self.assertEqual((last["type"], last["exit"], last["failed"]), ("end", 0, 0))
        self.assertEqual(len({r["law"] for r in results}), last["results"])
        self.assertTrue(all(r["verdict"] == "verified" for r in results))
        self.assertTrue(all(r["cases"] > 0 and r["outputs_judged"] > 0 for r in results))
        judged = next(r for r in results if r["law"] == "matches_oracle")
        self.assertEqual(sum(judged["tiers"].values()), judged["outputs_judged"])
        self.assertGreater(judged["audited"], 0)

    def test_the_same_seed_gives_the_same_figures(self):
        figures = []
        for _ in range(2):
            self.run_program("verify", "adamw", "--no-page", "--seed", "11")
            figures.append([(r["law"], r["cases"], r["worst_ratio"], r["tiers"])
                            for r in self.records() if r["type"] == "result"])
        self.assertEqual(*figures)

    def test_a_wrong_plugin_exits_1_and_its_failure_replays(self):
        done = self.run_program("check", os.environ["MUTANT"], "--json", "verdicts.json")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in ("got", "exact", "allowed", "first departs", "./driftgate replay "):
            self.assertIn(word, done.stdout)
        verdicts = json.loads((self.folder / "verdicts.json").read_text())
        wrong = [r for r in verdicts["results"] if r["failure"]]
        self.assertTrue({r["verdict"] for r in verdicts["results"]} <= CLOSED_SET)
        self.assertEqual(verdicts["end"]["exit"], 1)
        again = self.run_program("replay", wrong[0]["failure"]["file"])
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn(wrong[0]["failure"]["got_bits"], again.stdout)

    def test_json_on_standard_output_has_nothing_beside_it(self):
        done = self.run_program("check", os.environ["CONTROL"], "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["end"]["failed"], 0)

    def test_a_crash_and_a_hang_are_verdicts(self):
        crash = self.run_program("check", os.environ["CRASHING"], "--json", "crash.json")
        self.assertEqual(crash.returncode, 1, crash.stderr)
        self.assertIn("crashed", (self.folder / "crash.json").read_text())
        hang = self.run_program("check", os.environ["HANGING"], "--timeout", "0.3", "--json",
                                "hang.json")
        self.assertEqual(hang.returncode, 1, hang.stderr)
        results = json.loads((self.folder / "hang.json").read_text())["results"]
        self.assertEqual(results[0]["verdict"], "timed_out")
        self.assertEqual({r["verdict"] for r in results[1:]}, {"skipped"})
        self.assertIn("hung", results[1]["detail"])

    def test_nonsense_gets_one_sentence_and_2(self):
        (self.folder / "empty.so").touch()
        (self.folder / "broken.json").write_text('{"schema": "driftgate.failure/1"')
        for words in (["verfy"], [], ["verify", "nope"], ["verify", "--level", "medium"],
                      ["verify", "--seed", "x"], ["check"], ["check", "missing.so"],
                      ["check", "empty.so"], ["check", self.folder], ["replay", "missing.json"],
                      ["replay", "broken.json"], ["explain", "adamv"],
                      ["check", os.environ["CONTROL"], "--kernel", "nope"],
                      ["check", os.environ["CONTROL"], "--timeout", "-1"]):
            with self.subTest(words=words):
                done = self.run_program(*words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.sentence(done)

    def test_a_required_device_that_is_missing_is_3(self):
        done = self.run_program("verify", "--require", "cuda", "--no-page")
        self.assertEqual(done.returncode, 3)
        self.sentence(done)

    def test_a_folder_that_cannot_be_made_is_4(self):
        (self.folder / "file").touch()
        done = self.run_program("verify", "adamw", "--no-page", "--out", "file/out")
        self.assertEqual(done.returncode, 4)
        self.sentence(done)

    def test_explain_prints_every_part_of_a_rule(self):
        done = self.run_program("explain", "adamw")
        self.assertEqual(done.returncode, 0)
        for word in ("Source", "Roles", "Scalars", "Options", "at step 1", "exp_avg_sq", "ulp",
                     "weight_decay", "amsgrad", "maximize"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main()
