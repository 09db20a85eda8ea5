"""The report on sample records: good, failing, cut off, damaged and hostile ones."""

import contextlib
import html.parser
import io
import json
import tempfile
import unittest
from pathlib import Path

from driftgate_report.__main__ import main
from driftgate_report.numbers import ratio
from driftgate_report.records import SCHEMA

HEADER = {"schema": SCHEMA, "run": "r1"}
LAWS = ("matches_oracle", "deterministic", "splitting")
BEGIN = {
    "type": "run", "time": "2025-12-01T02:17:37Z", "command": ["driftgate", "verify"],
    "version": "0.1.0", "commit": None, "seed": 42, "level": "quick",
    "libraries": {"mpfr": "4.2.0"},
    "machine": {"device": "cpu", "name": "A Processor", "system": "Linux 6.1", "cores": 2},
}
FAILURE = {
    "replay": "driftgate replay out/failures/adamw.json", "file": "out/failures/adamw.json",
    "output": "exp_avg_sq", "tensor": 0, "element": 3, "sizes": [5, 1], "step": 10,
    "scalars": {"lr": 0.001, "amsgrad": 1}, "got": "6.2500836e-05", "exact": "6.25e-05",
    "inputs": {"grad": {"value": "0.25", "bits": "0x3e800000"}}, "allowed": "3.9e-12",
    "allowed_values": [], "got_bits": "0x38831271", "ratio": 216.0, "stage": "exp_avg_sq",
    "sentence": "1 - beta2 was computed in single precision.",
}


def output(above=0, **changes):
    return {"judged": 1000, "max_ratio": 216.0 if above else 0.978,
            "histogram": [900, 93] + [0] * 17 + [7 - above, above]} | changes


def result(kernel="adamw", law="matches_oracle", **changes):
    judged = law == "matches_oracle"
    above = 7 if changes.get("failure") else 0
    roles = ("param", "exp_avg", "exp_avg_sq") if judged else ()
    return {
        "type": "result", "kernel": kernel, "rule": "adamw", "source": "in-tree", "device": "cpu",
        "contract": {"dtypes": "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32", "numerics": "",
                     "options": "amsgrad maximize", "budget": "launches=1"},
        "unverified": ["budget launches=1"],
        "law": law, "verdict": "diverged" if above else "verified", "detail": "", "seed": 42,
        "cases": 400, "outputs_judged": 3000, "seconds": 1.25, "audited": 3,
        "worst_ratio": 216.0 if above else 0.978 if judged else None,
        "tiers": {"double": 2990, "double_double": 9, "mpfr_128": 1} if judged else {},
        "outputs": {role: output(above) for role in roles},
        "inputs": {"subnormal": 0.01, "zero": 0.02, "infinite": 0.0, "nan": 0.001,
                   "power_of_two": 0.05, "tie": 0.01, "special": 0.004, "ill_posed": 0, "count": 4000},
        "failure": None,
    } | changes


def end(results):
    verdicts = [each["verdict"] for each in results]
    verified, skipped = verdicts.count("verified"), verdicts.count("skipped")
    ill_posed = verdicts.count("ill_posed")
    failed = len(verdicts) - verified - ill_posed - skipped
    return {"type": "end", "exit": 1 if failed else 3 if ill_posed else 0, "seconds": 9.5,
            "results": len(verdicts), "verified": verified, "failed": failed,
            "ill_posed": ill_posed, "skipped": skipped, "error": None}


def lines(results, cut=False, begin=BEGIN):
    records = [begin, *results] if cut else [begin, *results, end(results)]
    return "".join(json.dumps(HEADER | record) + "\n" for record in records)


GOOD = [result(kernel, law) for kernel in ("adamw", "adamw_plain") for law in LAWS]


class Page(html.parser.HTMLParser):
    """A page's text and tags; also checks that the tags are balanced."""

    VOID = ("meta", "br", "wbr")

    def __init__(self, source):
        super().__init__()
        self.source, self.open, self.tags, self.words = source, [], [], []
        self.attributes = []
        self.feed(source)
        self.close()
        assert not self.open, self.open
        self.text = " ".join(" ".join(self.words).split())  # narrow spaces become plain ones

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.words.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def report(self, text, *more):
        """The exit code, what went to standard error, and the page or None."""
        if text is not None:
            data = text if isinstance(text, bytes) else text.encode()
            (self.folder / "records.jsonl").write_bytes(data)
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            code = main([str(self.folder), *more, "--out", str(self.folder / "page")])
        path = self.folder / "page/index.html"
        return code, stderr.getvalue(), Page(path.read_text()) if path.exists() else None

    def page(self, text):
        code, complaints, page = self.report(text)
        self.assertEqual(code, 0, complaints)
        return page

    def assert_refused(self, text, sentence):
        code, complaints, page = self.report(text)
        self.assertEqual((code, page), (2, None))
        self.assertEqual(complaints.count("\n"), 1)
        self.assertIn(sentence, complaints)

    def test_a_good_run_is_verified_in_one_line_with_its_circumstances(self):
        code, complaints, page = self.report(lines(GOOD))
        self.assertEqual((code, complaints), (0, ""))
        self.assertIn("Verified: 2 kernels × 3 laws: 6 verified, 0 failed, 0 skipped · level quick "
                      "· seed 42 · 2025-12-01T02:17:37Z · A Processor · driftgate 0.1.0", page.text)
        self.assertIn("All 3 000 outputs are within the allowed error; the worst, in param, uses "
                      "0.978 of it", page.text)
        self.assertIn("1% of 12 000 input elements are subnormal; 1% of 9 000 outputs lie near a "
                      "rounding tie".replace("%", " %"), page.text)

    def test_the_page_needs_nothing_but_itself(self):
        page = self.page(lines(GOOD))
        self.assertLess(len(page.source), 2_000_000)
        for name, value in page.attributes:
            if name in ("src", "href", "xlink:href"):
                self.assertTrue(value.startswith("#"), value)
        self.assertNotIn("@import", page.source)
        self.assertNotIn("script", page.tags)

    def test_every_id_is_unique_and_every_reference_has_its_target(self):
        page = self.page(lines(GOOD))
        ids = [value for name, value in page.attributes if name == "id"]
        self.assertEqual(len(ids), len(set(ids)))
        for name, value in page.attributes:
            if name.endswith("href"):
                self.assertIn(value[1:], ids)

    def test_a_figure_has_a_text_that_says_the_same(self):
        page = self.page(lines(GOOD))
        texts = [" ".join(value.split()) for name, value in page.attributes
                 if name == "aria-label" and "Histogram" in value]
        self.assertEqual(len(texts), 2)
        self.assertIn("exp_avg: 1 000 outputs, largest 0.978, 0 of 1 000 not below 1", texts[0])

    def test_a_histogram_of_a_part_of_the_outputs_says_so(self):
        page = self.page(lines([result(outputs={"param": output(judged=16_000)})]))
        self.assertIn("All 16 000 outputs are within", page.text)
        self.assertIn("(the histogram counts 1 000)", page.text)

    def test_a_failure_shows_its_smallest_case_and_how_to_replay_it(self):
        page = self.page(lines([*GOOD, result("adamw_wrong", failure=FAILURE)]))
        self.assertIn("Failed: 3 kernels × 3 laws: 6 verified, 1 failed, 0 skipped", page.text)
        for words in ("✗ diverged", FAILURE["sentence"], FAILURE["replay"],
                      "exp_avg_sq, element 3 of tensor 0, step 10", "exact 6.25e-05",
                      "got 6.2500836e-05 = 0x38831271", "allowed error 3.9e-12",
                      "error / allowed 216", "departs at exp_avg_sq", "grad = 0.25 0x3e800000",
                      "lr = 0.001, amsgrad = 1",
                      "The error of param is up to 216 times what is allowed"):
            self.assertIn(words, page.text)

    def test_where_a_few_values_are_allowed_they_are_listed(self):
        few = FAILURE | {"exact": "", "allowed": "", "allowed_values": ["-inf", "nan"],
                         "ratio": None}
        page = self.page(lines([result(failure=few)]))
        self.assertIn("allowed nothing but -inf, nan", page.text)
        self.assertNotIn("error / allowed ∞", page.text)
        self.assertNotIn("exact", page.text.partition("How to read")[0])

    def test_a_narrow_output_says_which_stored_values_pass(self):
        for values, words in ((["1", "1.0078125"], "1 to 1.0078125"), (["1", "1"], "1 ")):
            narrow = FAILURE | {"format": "bf16", "allowed_range": values}
            page = self.page(lines([result(failure=narrow)]))
            self.assertIn(f"stored in bf16 as {words}", page.text)

    def test_promises_that_no_law_looks_at_are_named(self):
        self.assertIn("not verified here budget launches=1", self.page(lines(GOOD)).text)

    def test_what_is_said_of_many_laws_is_said_once(self):
        skipped = [result(law=law, verdict="skipped", detail="no such device") for law in LAWS]
        self.assertIn(f"{', '.join(LAWS)}: no such device", self.page(lines(skipped)).text)

    def test_an_infinite_ratio_is_shown_as_such(self):
        page = self.page(lines([result(
            failure=FAILURE | {"ratio": None}, worst_ratio=None,
            outputs={"param": output(max_ratio=None)})]))
        self.assertIn("error / allowed ∞", page.text)
        self.assertIn("The error of param is up to ∞ times what is allowed", page.text)

    def test_a_verdict_that_came_later_counts_as_a_failure(self):
        self.assertIn("1 failed", self.page(lines([result(verdict="melted")], cut=True)).text)

    def test_a_run_in_which_all_was_skipped_is_not_verified(self):
        page = self.page(lines([result(verdict="skipped", detail="no such device")]))
        self.assertIn("Not verified: 1 kernel × 1 law: 0 verified, 0 failed, 1 skipped", page.text)
        self.assertIn("matches_oracle: no such device", page.text)

    def test_a_law_that_is_ill_posed_is_no_failure_and_not_verified(self):
        results = [result(), result(law="special_values", verdict="ill_posed",
                                    detail="3 of 9 outputs had no meaningful budget")]
        page = self.page(lines(results))
        self.assertIn("Not verified: 1 kernel × 2 laws: 1 verified, 0 failed, 1 ill-posed, "
                      "0 skipped", page.text)
        self.assertIn("special_values: 3 of 9 outputs had no meaningful budget", page.text)
        self.assertNotIn("✗ ill_posed", page.text)

    def test_hostile_texts_stay_texts(self):
        evil = '</title><script>alert(1)</script>"\'${x}{{7*7}}$\\frac$'
        page = self.page(lines([result(
            evil, evil, detail=evil + "\u202e\ud800\x00\n", source=evil, tiers={evil: 3},
            outputs={evil: output(), "_hidden": output()},
            failure=FAILURE | {"sentence": evil, "replay": evil, "scalars": {evil: 1},
                               "inputs": {evil: {"value": evil, "bits": evil}}})]))
        self.assertNotIn("script", page.tags)
        self.assertNotIn("<script", page.source)
        self.assertIn("<script>alert(1)</script>", page.text)
        self.assertNotIn("\u202e", page.source)
        self.assertIn("_hidden", page.text)

    def test_a_run_without_an_end_is_cut_off_and_never_verified(self):
        page = self.page(lines(GOOD[:2], cut=True))
        self.assertIn("Cut off: 1 kernel × 2 laws: 2 verified", page.text)
        self.assertIn("The run was cut off: its last line is missing", page.text)

    def test_a_truncated_last_line_is_named_and_the_rest_shown(self):
        code, complaints, page = self.report(lines(GOOD)[:-20])
        self.assertEqual(code, 0)
        self.assertIn("line 8 was cut off in the middle", complaints)
        self.assertIn("Cut off: 2 kernels × 3 laws: 6 verified", page.text)

    def test_a_lost_result_makes_a_run_incomplete(self):
        text = lines(GOOD).splitlines(keepends=True)
        text[3] = text[3][:100] + "\n"
        page = self.page("".join(text))
        self.assertIn("Incomplete: 2 kernels × 3 laws: 5 verified", page.text)
        self.assertIn("The run's last line counts 6 results, and 5 were read.", page.text)

    def test_a_newer_schema_is_refused_in_one_sentence(self):
        self.assert_refused(lines(GOOD).replace(SCHEMA, "driftgate.record/2"),
                            "is of schema 'driftgate.record/2'")

    def test_unknown_fields_and_types_are_ignored(self):
        extended = lines([result(novelty={"a": [1]})], begin=BEGIN | {"moon": "full"})
        later = json.dumps(HEADER | {"type": "longrun"}) + "\n"
        self.assertIn("Verified: 1 kernel", self.page(extended + later).text)

    def test_missing_and_mistyped_fields_are_named_and_shown_as_unknown(self):
        wrong = (None, "text", -1, 10**400, [[]], {"x": {}}, float("nan"), float("-inf"))
        text, faults = [], []
        for whole in (BEGIN, result(outputs={}, inputs={}, failure=FAILURE), end(GOOD)):
            for name in whole:
                absent = {key: value for key, value in whole.items() if key != name}
                for record in (absent, *(whole | {name: value} for value in wrong)):
                    # Each in a run of its own, so that none can hide behind another.
                    header = {"schema": SCHEMA, "run": f"r{len(text)}"}
                    text.append(json.dumps(header | record) + "\n")
                    if record is absent:
                        what = "type" if name == "type" else f"'{name}'"
                        faults.append(f"line {len(text)} has no {what}\n")
        code, complaints, page = self.report("".join(text))
        self.assertEqual(code, 0)
        for fault in faults:
            self.assertIn(fault, complaints)

    def test_broken_histograms_and_shares_are_left_out(self):
        histograms = ([], [1] * 20, [1] * 20 + [None], [1] * 20 + [-1], "text", [0] * 21)
        outputs = {str(i): output(histogram=each) for i, each in enumerate(histograms)}
        shares = {"count": 10, "zero": float("nan"), "nan": 1e308, "infinite": 10**300, "tie": -3}
        page = self.page(lines([result(outputs=outputs | {"none": None, "empty": {}}),
                                result("other", inputs=shares)]))
        self.assertEqual(page.tags.count("figure"), 4)

    def test_unusable_input_is_refused_in_one_sentence(self):
        for text, sentence in [
            (None, "records.jsonl cannot be read: No such file or directory"),
            ("", "holds no records"),
            ("\n\n", "holds no records"),
            ("rubbish\n", "line 1 is not JSON"),
            ("[" * 100_000 + "\n", "line 1 is not JSON"),
            ("[1]\n", "line 1 is not a record"),
            (b"\xff\xfe\x00", "line 1 was cut off"),
            (json.dumps({"schema": SCHEMA, "type": "run"}) + "\n",
             "line 1 does not say to which run it belongs"),
        ]:
            with self.subTest(sentence=sentence, text=str(text)[:20]):
                self.assert_refused(text, sentence)

    def test_one_missing_folder_among_others_is_refused(self):
        code, complaints, page = self.report(lines(GOOD), str(self.folder / "nowhere"))
        self.assertEqual((code, page), (2, None))
        self.assertIn("nowhere/records.jsonl cannot be read", complaints)

    def test_a_page_that_cannot_be_written_is_a_fault_of_the_suite(self):
        (self.folder / "page").write_text("in the way")
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            (self.folder / "records.jsonl").write_text(lines(GOOD))
            self.assertEqual(main([str(self.folder), "--out", str(self.folder / "page")]), 4)
        self.assertIn("the page cannot be written", stderr.getvalue())

    def test_ten_kernels_take_a_quarter_of_two_megabytes_at_most(self):
        results = [result(f"kernel_{i}", law) for i in range(10) for law in LAWS]
        self.assertLess(len(self.page(lines(results)).source), 500_000)


class Numbers(unittest.TestCase):
    def test_a_ratio_is_never_rounded_across_the_bound(self):
        for r, shown in ((0.97812, "0.978"), (0.99999, "0.99999"), (1, "1"), (1.00001, "1.00001"),
                         (216.4, "216"), (1.23e19, "1.23e19"), (float("inf"), "∞"), (None, "–")):
            self.assertEqual(ratio(r), shown)


if __name__ == "__main__":
    unittest.main()
