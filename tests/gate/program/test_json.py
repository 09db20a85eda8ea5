"""`check --json`: one document on standard output for every exit code, as docs/records.md says."""

import json
import re
import struct
import unittest
from pathlib import Path

from program_case import CLOSED_SET, CONTROL, CRASHING, MUTANT, WORDS, ProgramCase

NUMBER, TEXT, NONE = (int, float), str, type(None)
DOCUMENT = {"schema": TEXT, "plugin": TEXT, "verdict": TEXT, "exit": int, "error": (TEXT, NONE),
            "kernels": list, "run": (dict, NONE), "results": list, "end": (dict, NONE)}
KERNEL = {"name": TEXT, "rule": TEXT, "device": TEXT, "contract": dict, "unverified": list,
          "skipped": (TEXT, NONE), "verdict": TEXT}
RUN = {"schema": TEXT, "type": TEXT, "run": TEXT, "time": TEXT, "command": list, "version": TEXT,
       "commit": (TEXT, NONE), "seed": int, "level": TEXT, "machine": dict, "libraries": dict}
RESULT = {"schema": TEXT, "type": TEXT, "run": TEXT, "kernel": TEXT, "rule": TEXT, "source": TEXT,
          "device": TEXT, "contract": dict, "unverified": list, "law": TEXT, "verdict": TEXT,
          "detail": TEXT, "seed": int, "cases": int, "outputs_judged": int, "seconds": NUMBER,
          "worst_ratio": (*NUMBER, NONE), "tiers": dict, "audited": int, "outputs": dict,
          "inputs": dict, "figures": dict, "failure": (dict, NONE)}
FAILURE = {"replay": TEXT, "file": TEXT, "output": TEXT, "tensor": (int, NONE),
           "element": (int, NONE), "sizes": list, "step": int, "scalars": dict, "inputs": dict,
           "got": TEXT, "got_bits": TEXT, "exact": TEXT, "allowed": TEXT, "allowed_values": list,
           "allowed_range": list, "format": TEXT, "ratio": (*NUMBER, NONE), "stage": TEXT,
           "sentence": TEXT, "verdict": TEXT}
END = {"schema": TEXT, "type": TEXT, "run": TEXT, "exit": int, "seconds": NUMBER, "results": int,
       "verified": int, "failed": int, "ill_posed": int, "skipped": int, "error": (TEXT, NONE)}
DOCS = Path(__file__).parents[3] / "docs/records.md"


class Json(ProgramCase):
    def has_shape(self, value, shape):
        self.assertEqual(set(value), set(shape))
        for name, kinds in shape.items():
            self.assertIsInstance(value[name], kinds, name)

    def document(self, *words, code, verdict, **how):
        """The document on standard output, of the documented shape, with nothing beside it."""
        done = self.run_program("check", *words, "--json", "-", **how)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.has_shape(document, DOCUMENT)
        self.assertEqual((document["exit"], document["verdict"]), (code, verdict))
        self.assertEqual(document["error"] is None, code in (0, 1))
        self.assertEqual(done.stderr, f"driftgate: {document['error']}\n" if code > 1 else "")
        for kernel in document["kernels"]:
            self.has_shape(kernel, KERNEL)
            self.assertIn(kernel["verdict"], CLOSED_SET)
        for result in document["results"]:
            self.has_shape(result, RESULT)
            self.assertIn(result["verdict"], CLOSED_SET)
            if result["failure"]:
                self.has_shape(result["failure"], FAILURE)
        if document["run"]:
            self.has_shape(document["run"], RUN)
            self.has_shape(document["end"], END)
            self.assertEqual(document["end"]["exit"], code)
        return document

    def test_a_right_kernel_is_verified(self):
        document = self.document(CONTROL, code=0, verdict="verified")
        self.assertEqual([k["verdict"] for k in document["kernels"]], ["verified"])
        self.assertEqual({r["verdict"] for r in document["results"]}, {"verified"})

    def test_a_wrong_kernel_has_its_smallest_counterexample(self):
        document = self.document(MUTANT, code=1, verdict="failed")
        self.assertEqual(document["kernels"][0]["verdict"], "diverged")
        failure = next(r["failure"] for r in document["results"] if r["failure"])
        self.assertRegex(failure["got_bits"], r"^0x[0-9a-f]{8}$")
        for value in failure["inputs"].values():
            self.assertRegex(value["bits"], r"^0x[0-9a-f]{8}$")
        got, = struct.unpack(">f", bytes.fromhex(failure["got_bits"][2:]))
        error = abs(got - float(failure["exact"]))
        self.assertAlmostEqual(error / float(failure["allowed"]), failure["ratio"], places=3)
        self.assertGreater(failure["ratio"], 1)
        self.assertEqual(failure["stage"], failure["output"])
        self.assertTrue((self.folder / failure["file"]).exists())
        self.assertEqual(failure["replay"], f"./driftgate replay {failure['file']}")

    def test_kernels_that_are_skipped_or_promise_more_are_there_with_the_reason(self):
        document = self.document(WORDS, code=3, verdict="not_verified", environment={
            "DG_DEVICE": "cuda", "DG_BUDGET": "launches=1 bytes=28", "DG_NUMERICS": "sum_depth=4"})
        kernel = document["kernels"][0]
        self.assertEqual((kernel["verdict"], kernel["unverified"]),
                         ("skipped", ["budget bytes=28", "sum_depth=4"]))
        self.assertIn("no CUDA device", kernel["skipped"])
        self.assertEqual(kernel["contract"]["budget"], "launches=1 bytes=28")
        self.assertTrue(all(r["unverified"] == kernel["unverified"] and
                            "no CUDA device" in r["detail"] for r in document["results"]))

    def test_what_cannot_be_used_has_an_error(self):
        for words in (["missing.so"], [WORDS, "--kernel", "nope"], [WORDS, "--seed", "x"],
                      [WORDS, "--nonsense"], [], [CONTROL, "--timeout", "-1"]):
            with self.subTest(words=words):
                self.document(*words, code=2, verdict="unusable")
        done = self.run_program("check", "missing.so", "--json", "answer.json")
        answer = json.loads((self.folder / "answer.json").read_text())
        self.assertEqual((done.returncode, done.stdout, answer["exit"]), (2, "", 2))
        self.assertIn("there is no such file", answer["error"])

    def test_a_failure_of_the_suite_has_an_error_and_all_that_was_found(self):
        (self.folder / "out").touch()  # where the failing case has to go
        document = self.document(CRASHING, code=4, verdict="suite_failed")
        self.assertIn("cannot write the failing case", document["error"])
        self.assertEqual([r["verdict"] for r in document["results"]], ["crashed"])

    def test_a_place_that_takes_no_document_is_4(self):
        done = self.run_program("check", WORDS, "--json", "/dev/full",
                                environment={"DG_DEVICE": "cuda"})
        self.assertEqual(done.returncode, 4)
        self.assertEqual(self.sentence(done),
                         "driftgate: cannot write /dev/full: No space left on device\n")
        with open("/dev/full", "w") as full:
            done = self.run_program("check", WORDS, "--json", "-", stdout=full,
                                    environment={"DG_DEVICE": "cuda"})
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot write to standard output: No space left", self.sentence(done))

    def test_the_documents_example_has_every_field(self):
        example = json.loads(re.search(r"```json\n(.*?)```", DOCS.read_text(), re.S)[1])
        self.has_shape(example, DOCUMENT)
        self.has_shape(example["kernels"][0], KERNEL)
        self.has_shape(example["results"][0], RESULT)
        self.has_shape(example["results"][0]["failure"], FAILURE)
        self.has_shape(example["run"], RUN)
        self.has_shape(example["end"], END)


if __name__ == "__main__":
    unittest.main()
