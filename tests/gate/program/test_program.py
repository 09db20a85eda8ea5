"""The program as a user meets it: verbs, exit codes, what is printed where, records, replay."""

import json
import unittest

from program_case import CLOSED_SET, CONTROL, CRASHING, HANGING, MUTANT, MUTANTS, WORDS, ProgramCase


class Program(ProgramCase):
    def test_what_is_verified_is_recorded_and_so_is_what_is_skipped(self):
        figures = []
        for device in ("all", "cpu"):
            done = self.run_program("verify", "adamw_plain", "--no-page", "--seed", "3", "--device",
                                    device)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            first, *results, last = self.records()
            self.assertEqual((first["type"], first["seed"], first["level"]), ("run", 3, "quick"))
            self.assertEqual((last["type"], last["exit"], last["failed"]), ("end", 0, 0))
            self.assertEqual(last["results"], len(results))
            on_host = [r for r in results if r["device"] == "cpu"]
            self.assertEqual(len({r["law"] for r in on_host}), len(on_host))
            self.assertTrue(all(r["verdict"] == "verified" for r in on_host))
            self.assertTrue(all(r["cases"] > 0 and r["outputs_judged"] > 0 for r in on_host))
            judged = next(r for r in on_host if r["law"] == "matches_oracle")
            self.assertEqual(sum(judged["tiers"].values()) - judged["tiers"]["ill_posed"],
                             judged["outputs_judged"])
            self.assertGreater(judged["audited"], 0)
            figures.append([(r["law"], r["cases"], r["worst_ratio"], r["tiers"]) for r in on_host])
            on_cuda = {(r["verdict"], r["detail"][:14]) for r in results if r["device"] == "cuda"}
            self.assertEqual(on_cuda, {("skipped", "no CUDA device")} if device == "all" else set())
            self.assertEqual("skipped: no CUDA device can" in done.stdout, device == "all")
        self.assertEqual(*figures)  # the same seed, the same figures

    def test_only_kernels_that_cannot_be_run_is_3(self):
        done = self.run_program("verify", "--no-page", "--device", "cuda")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("nothing was verified: adamw: no CUDA device", self.sentence(done))
        self.assertEqual(self.records()[-1]["exit"], 3)

    def test_what_the_table_of_a_kernel_that_does_nothing_says(self):
        done = self.run_program("check", WORDS, environment={
            "DG_BUDGET": "launches=1 bytes=28", "DG_NUMERICS": "moments=stored div=ulp:2"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("  not verified here: budget launches=1, budget bytes=28, moments=stored\n",
                      done.stdout)
        # Where the oracle allows a few values they are no interval.
        self.assertRegex(done.stdout, r"allowed        nothing but \S+")
        self.assertNotIn("only these", done.stdout)
        self.assertNotIn("any of", done.stdout)

    def test_a_wrong_plugin_exits_1_and_its_failure_replays(self):
        done = self.run_program("check", MUTANT, "--json", "verdicts.json")
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

    def test_a_read_that_shows_beside_a_guard_page_only_replays(self):
        done = self.run_program("check", MUTANTS / "reads_past_large_tensors.so",
                                "--expect-caught-by", "splitting:crashed")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        file = self.folder / "out/failures/reads_past_large_tensors.splitting.json"
        size, = json.loads(file.read_text())["case"]["sizes"]
        self.assertLess(size, 21_000)  # it was made smaller where it showed
        again = self.run_program("replay", file)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("it read byte", again.stdout)

    def test_a_case_that_the_contract_rules_out_is_refused(self):
        singles = {"DG_NUMERICS": "coefficients=f32"}
        self.run_program("check", WORDS, "--expect-caught-by", "matches_oracle", environment=singles)
        file = next((self.folder / "out/failures").glob("*.json"))
        case = json.loads(file.read_text())
        case["case"]["scalars"]["beta2"] = 1 - 2**-40  # 1 in single precision
        file.write_text(json.dumps(case))
        done = self.run_program("replay", file, environment=singles)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("beta2 must be in [0, 1)", self.sentence(done))

    def test_a_failure_file_that_was_spoiled_is_refused(self):
        self.run_program("check", MUTANT, "--expect-caught-by", "matches_oracle")
        file = next((self.folder / "out/failures").glob("*.json"))
        good = json.loads(file.read_text())

        def spoiled(**changes):
            return json.dumps({**good, "case": {**good["case"], **changes}})

        def scalars(**changes):
            return spoiled(scalars={**good["case"]["scalars"], **changes})

        for text, said in (
                (file.read_text()[:200], "no JSON"), ("[1, 2]", "not a failure file"),
                ('{"a": 1}', "schema"), ("\0\1\2", "no JSON"), ("", "no JSON"),
                (json.dumps({**good, "law": "gravity"}), 'no law "gravity"'),
                (json.dumps({**good, "kernel": "gone"}), 'no kernel "gone" any more'),
                (json.dumps({**good, "rule": "lion"}), 'of rule "lion"'),
                (json.dumps({**good, "plugin": "/gone.so"}), "no such file"),
                (spoiled(step=0), "the step is below 1"), (spoiled(step="1"), "whole number"),
                (spoiled(sizes=[-1]), "sizes"), (spoiled(sizes=[2**40]), "sizes"),
                (spoiled(sizes="many"), "not a failure file"), (spoiled(draw="dice"), "dice"),
                (scalars(beta1=1.0), "beta1 must be in [0, 1)"), (scalars(lr=-1), "lr must be"),
                (scalars(eps="small"), "number"), (scalars(amsgrad=0.5), "amsgrad must be 0 or 1"),
                (scalars(gravity=9.81), 'no scalar "gravity"'),
                (spoiled(scalars={"lr": 0.1}), "has no scalar")):
            with self.subTest(said=said):
                (self.folder / "spoiled.json").write_text(text)
                done = self.run_program("replay", "spoiled.json")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(said, self.sentence(done))
        done = self.run_program("replay", file)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_a_crash_and_a_hang_are_verdicts(self):
        crash = self.run_program("check", CRASHING, "--json", "crash.json")
        self.assertEqual(crash.returncode, 1, crash.stderr)
        self.assertIn("crashed", (self.folder / "crash.json").read_text())
        hang = self.run_program("check", HANGING, "--timeout", "0.3", "--json",
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
                      ["check", CONTROL, "--kernel", "nope"],
                      ["check", CONTROL, "--timeout", "-1"]):
            with self.subTest(words=words):
                done = self.run_program(*words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.sentence(done)

    def test_a_plugin_for_a_device_is_not_verified(self):
        done = self.run_program("check", WORDS, environment={"DG_DEVICE": "cuda"})
        self.assertEqual(done.returncode, 3)
        self.assertIn("skipped: no CUDA device can be used", done.stdout)
        self.assertIn("nothing was verified", self.sentence(done))
        both = {"DG_DEVICE": "cuda", "DG_COUNT": "2"}
        done = self.run_program("check", WORDS, environment=both)
        self.assertEqual(done.returncode, 1)
        self.assertIn("17 skipped", done.stdout)
        self.assertIn("other matches_oracle: unwritten", done.stdout)
        done = self.run_program("check", WORDS, "--kernel", "words", environment=both)
        self.assertEqual(done.returncode, 3)

    def test_a_wrong_kernel_that_cannot_be_run_is_neither_caught_nor_missed(self):
        for device, law, code in (("cuda", "capture", 3), ("cuda", "matches_oracle", 3),
                                  ("cpu", "capture", 2)):
            done = self.run_program("check", WORDS, "--expect-caught-by", law,
                                    environment={"DG_DEVICE": device})
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            if code == 3:
                self.assertIn("skipped: no CUDA device can be used", done.stdout)
            else:
                self.sentence(done)

    def test_a_crash_is_not_caught_unless_a_crash_was_expected(self):
        for law, code in (("matches_oracle", 1), ("matches_oracle:crashed", 0)):
            done = self.run_program("check", CRASHING, "--expect-caught-by", law)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(
            self.run_program("check", MUTANT, "--expect-caught-by", "matches_oracle").returncode, 0)
        for law in ("gravity", "matches_oracle:", "matches_oracle:verified",
                    "matches_oracle:wrong"):
            done = self.run_program("check", MUTANT, "--expect-caught-by", law)
            self.assertEqual(done.returncode, 2)
            self.assertIn("; known: ", self.sentence(done))

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
