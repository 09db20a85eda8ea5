"""Full disks, missing folders, signals, closed streams, odd locales: whole records, one clear
sentence and the right exit code."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest
from pathlib import Path

from program_case import CRASHING, HANGING, MUTANT, PROGRAM, WORDS, ProgramCase

QUICK = ("verify", "adamw_plain", "--no-page")
ON_CUDA = {"DG_DEVICE": "cuda"}  # for WORDS: nothing is run


def can_mount():
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


def living(process_group):
    """Processes of that group, zombies left out."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(group) == process_group and state not in "ZX":
            found.append(stat.parent.name)
    return found


class Environment(ProgramCase):
    def wait_for(self, holds, what):
        for _ in range(3000):
            if holds():
                return
            time.sleep(0.01)
        self.fail(f"waited in vain for {what}")

    def wait_for_lines(self, count, folder="out"):
        path = self.folder / folder / "records.jsonl"
        self.wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= count,
                      f"{count} records")

    def children(self, running):
        return Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()

    # Folders and disks.

    def test_a_folder_that_is_missing_is_made_and_one_that_cannot_be_is_4(self):
        (self.folder / "file").touch()
        for out in ("file", "file/out", "/proc/none"):
            done = self.run_program(*QUICK, "--out", out)
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertIn(f"cannot write the records {out}/records.jsonl: ", self.sentence(done))
        done = self.run_program("verify", "--device", "cuda", "--no-page", "--out", "some/new/out")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.records("some/new/out")[-1]["exit"], 3)

    def test_a_failing_case_that_cannot_be_kept_is_4_and_still_printed(self):
        (self.folder / "out").touch()
        done = self.run_program("check", MUTANT)
        self.assertEqual(done.returncode, 4)
        self.assertIn("complement_in_single matches_oracle: diverged", done.stdout)
        self.assertIn("first departs  exp_avg_sq", done.stdout)
        self.assertIn("cannot write the failing case out/failures/", self.sentence(done))

    def test_a_full_or_read_only_disk_is_4_without_half_a_line(self):
        if not can_mount():
            self.skipTest("needs to mount a file system")
        (self.folder / "disk").mkdir()
        for options, said, lines in (("size=4k", "No space left on device", 2), ("ro", "Read-only", 0)):
            script = (f"mount -t tmpfs -o {options} tmpfs disk; \"$@\"; code=$?; "
                      "cp disk/out/records.jsonl . ; exit $code")
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", script, "sh", PROGRAM, *QUICK, "--out", "disk/out"],
                cwd=self.folder, text=True, capture_output=True)
            self.assertEqual(done.returncode, 4, done.stderr)
            sentence, _, rest = done.stderr.partition("\n")
            self.assertIn("cannot write the records disk/out/records.jsonl: " + said, sentence)
            self.assertEqual(rest.startswith("cp: "), lines == 0)
            if lines:
                self.assertGreaterEqual(len(self.records(".")), lines)  # each a whole one

    def test_shared_memory_needs_no_room_in_dev_shm(self):
        if not can_mount():
            self.skipTest("needs to mount a file system")
        for script in ("mount -t tmpfs -o size=1m tmpfs /dev/shm", "mount -t tmpfs tmpfs /dev/shm "
                       "&& chmod 0 /dev/shm"):
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", script + " && exec \"$@\"", "sh", PROGRAM, "check",
                 MUTANT, "--expect-caught-by", "matches_oracle"],
                cwd=self.folder, text=True, capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    # What the suite itself lacks in the middle of a run.

    def test_a_suite_that_fails_in_the_middle_keeps_what_was_found(self):
        running = self.start_program(*QUICK)
        self.wait_for_lines(2)
        # From now on no process can be started: that takes descriptors.
        resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (3, 3))
        stdout, stderr = running.communicate()
        self.assertEqual(running.returncode, 4, stdout + stderr)
        self.assertRegex(stderr, r"^driftgate: adamw_plain: \w+: .*Too many open files\n$")
        *_, result, end = self.records()
        self.assertEqual((result["type"], result["verdict"]), ("result", "verified"))
        self.assertEqual((end["type"], end["exit"]), ("end", 4))
        self.assertEqual("driftgate: " + end["error"] + "\n", stderr)
        self.assertEqual(end["results"], end["verified"])

    # Signals.

    def test_a_signal_ends_the_run_after_its_records(self):
        running = self.start_program(*QUICK)
        self.wait_for_lines(2)
        child, = self.children(running)
        running.terminate()
        _, stderr = running.communicate(timeout=10)
        self.assertEqual((running.returncode, stderr),
                         (143, "driftgate: stopped by signal 15 (Terminated)\n"))
        first, *results, end = self.records()
        self.assertEqual((first["type"], end["type"], end["exit"]), ("run", "end", 143))
        self.assertEqual({r["verdict"] for r in results}, {"verified"})
        self.assertEqual(living(int(child)), [])

    def test_a_signal_reaches_a_gate_that_waits_for_a_kernel_that_hangs(self):
        running = self.start_program("check", HANGING, "--json", "-")
        self.wait_for(lambda: self.children(running), "a child")
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=10)
        document = json.loads(stdout)
        self.assertEqual((running.returncode, document["exit"], document["verdict"]),
                         (130, 130, "stopped"))
        self.assertEqual(stderr, f"driftgate: {document['error']}\n")

    def test_a_signal_in_the_midst_of_shrinking_leaves_the_failure(self):
        running = self.start_program("check", HANGING, "--timeout", "3", "--json", "verdicts.json")
        time.sleep(1)  # those that only describe the kernel are gone by then
        self.wait_for(lambda: self.children(running), "a child")
        hanging = self.children(running)
        self.wait_for(lambda: self.children(running) not in ([], hanging), "a smaller case")
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=10)
        self.assertEqual((running.returncode, stderr),
                         (130, "driftgate: stopped by signal 2 (Interrupt)\n"))
        self.assertIn("hangs matches_oracle: timed_out", stdout)
        document = json.loads((self.folder / "verdicts.json").read_text())
        result, = document["results"]
        self.assertEqual((result["verdict"], document["end"]["failed"]), ("timed_out", 1))
        self.assertTrue((self.folder / result["failure"]["file"]).exists())

    def test_a_parent_that_ignores_its_childrens_end_changes_nothing(self):
        def ignoring():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        done = self.run_program("check", CRASHING, "--expect-caught-by", "matches_oracle:crashed",
                                preexec_fn=ignoring)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("signal 11 (Segmentation fault)", done.stdout)
        done = self.run_program("report", "missing", preexec_fn=ignoring)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)

    def test_a_signal_that_was_ignored_stays_ignored(self):
        def ignoring():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        running = self.start_program("check", WORDS, preexec_fn=ignoring)
        self.wait_for(lambda: self.children(running), "a child")
        running.send_signal(signal.SIGHUP)
        running.communicate()
        self.assertEqual(running.returncode, 1)

    def test_a_gate_that_is_killed_leaves_whole_lines_and_no_child(self):
        running = self.start_program(*QUICK)
        self.wait_for_lines(1)
        self.wait_for(lambda: self.children(running), "a child")
        child, = self.children(running)
        running.kill()
        running.communicate()
        self.assertEqual(self.records()[0]["type"], "run")
        self.wait_for(lambda: not living(int(child)), "the child's end")

        running = self.start_program("check", HANGING, "--timeout", "60")
        self.wait_for(lambda: self.children(running), "a child")
        time.sleep(0.5)
        child, = self.children(running)
        running.kill()
        running.communicate()
        self.wait_for(lambda: not living(int(child)), "the end of a child that hangs")

    def test_two_runs_in_one_folder_keep_all_records_of_both(self):
        runs = [self.start_program(*QUICK, "--seed", seed) for seed in ("1", "2")]
        for running in runs:
            self.wait_for_lines(1)
        self.wait_for_lines(3)
        for running in runs:
            running.send_signal(signal.SIGTERM)
        for running in runs:
            running.communicate()
        by_run = {}
        for record in self.records():
            by_run.setdefault(record["run"], []).append(record["type"])
        self.assertEqual(len(by_run), 2)
        for types in by_run.values():
            self.assertEqual((types[0], types[-1]), ("run", "end"))
            self.assertEqual(set(types[1:-1]) - {"result"}, set())

    def test_two_checks_in_one_folder_tear_no_failure_file(self):
        runs = [self.start_program("check", CRASHING, "--expect-caught-by",
                                   "matches_oracle:crashed") for _ in range(2)]
        for running in runs:
            running.communicate()
            self.assertEqual(running.returncode, 0)
        files = list((self.folder / "out/failures").iterdir())
        self.assertEqual([file.suffix for file in files], [".json"])
        self.assertEqual(json.loads(files[0].read_text())["law"], "matches_oracle")

    # Streams, locale, home.

    def test_an_output_that_takes_nothing_is_4_and_the_records_are_complete(self):
        verify = ("verify", "--device", "cuda", "--no-page")
        with open("/dev/full", "w") as full:
            done = self.run_program(*verify, stdout=full)
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot write to standard output: No space left", self.sentence(done))
        self.assertEqual(self.records()[-1]["exit"], 4)
        self.assertGreater(self.records()[-1]["results"], 0)

        for redirection, words, code in (
                (">&-", verify, 4), (">&-", ("list",), 4), ("> /dev/full", ("list",), 4),
                (">&-", ("check", WORDS, "--json", "-"), 4), ("<&-", ("list",), 0),
                ("2>&-", verify, 3), ("<&- >&- 2>&-", verify, 4)):
            with self.subTest(redirection=redirection, words=words):
                done = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", PROGRAM, *words],
                                      cwd=self.folder, text=True, capture_output=True,
                                      env=os.environ | ON_CUDA)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                if code == 4 and "2>" not in redirection:
                    self.sentence(done)
                if words == verify:
                    self.assertEqual(self.records()[-1]["exit"], code)  # nothing else in the file

    def test_a_page_that_cannot_be_made_is_4_and_said(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/report").touch()  # where its folder has to go
        done = self.run_program("verify", "--device", "cuda")
        self.assertEqual(done.returncode, 4)
        self.assertIn("the page cannot be written to out/report: ", done.stderr)
        self.assertIn("driftgate: no page: its program ended with exit code 4\n", done.stderr)
        self.assertEqual(self.records()[-1]["exit"], 3)  # the run's own

    def test_a_reader_that_goes_away_is_4(self):
        end, other = os.pipe()
        os.close(end)
        done = self.run_program("list", stdout=other)
        os.close(other)
        self.assertEqual(done.returncode, 4)
        self.assertIn("Broken pipe", self.sentence(done))

    def test_neither_locale_nor_home_change_what_is_written(self):
        def said(environment):
            done = subprocess.run([PROGRAM, "check", WORDS, "--json", "-", "--timeout", "2.5"],
                                  cwd=self.folder, text=True, capture_output=True,
                                  env={**environment, "DG_COUNT": "1"})
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            return [r["failure"] for r in json.loads(done.stdout)["results"]]

        german = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}
        self.assertEqual(said({}), said(german))


if __name__ == "__main__":
    unittest.main()
