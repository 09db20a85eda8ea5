"""Whatever happens to a records.jsonl, the report makes a whole page of it or refuses it with a
sentence; never a traceback. Damage is random from a fixed seed."""

import contextlib
import io
import json
import random
import tempfile
import unittest
from pathlib import Path

from driftgate_report import records
from driftgate_report.__main__ import main

from test_report import FAILURE, GOOD, Page, lines, result

SEED = 20251201
# Values that a field is not made for.
STRANGE = (None, True, -1, 0, 2**64, 10**400, 1e308, -0.0, float("nan"), float("inf"), "", "x" * 5000,
           "</script><b>", "\ud800", "\u202e\x00\n", [], [[]], {}, {"": {}}, [None] * 21)


def paths(value, here=()):
    """The path of every value inside, parents first."""
    yield here
    children = value.items() if isinstance(value, dict) else (
        enumerate(value) if isinstance(value, list) else ())
    for key, child in children:
        yield from paths(child, (*here, key))


def change_a_value(draw, record):
    *parents, last = draw.choice(list(paths(record))[1:])
    for key in parents:
        record = record[key]
    if draw.random() < 0.3:
        del record[last]
    else:
        record[last] = draw.choice(STRANGE)


def damaged(draw, text):
    """The text with a few values changed, then perhaps a few bytes or lines."""
    values = [json.loads(line) for line in text.splitlines()]
    for _ in range(draw.randrange(4)):
        change_a_value(draw, draw.choice(values))
    data = bytearray("".join(json.dumps(value) + "\n" for value in values).encode())
    for _ in range(draw.choice((0, 0, 1, 3, 30))):
        at = draw.randrange(len(data))
        kind = draw.randrange(4)
        if kind == 0:
            data[at] = draw.randrange(256)
        elif kind == 1:
            del data[at:at + draw.choice((1, 10, 1000))]
        elif kind == 2:
            data[at:at] = draw.choice((b"\n", b"{", b"[" * 2000, b"\x00", b'"', b"9" * 5000))
        else:
            data = data[:at] + b"\n" + data
        data = data or bytearray(b"\n")
    return bytes(data)


class DamagedRecords(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.draw = random.Random(SEED)

    def damage_a_file(self):
        bad = [result("adamw", "matches_oracle", failure=FAILURE, verdict="diverged")]
        whole = (lines(GOOD[:2]), lines(GOOD[:2] + bad), lines(bad, cut=True))
        (self.folder / "records.jsonl").write_bytes(damaged(self.draw, self.draw.choice(whole)))

    def test_they_are_read_or_refused_with_a_sentence(self):
        read = refused = 0
        for number in range(2000):
            self.damage_a_file()
            with self.subTest(seed=SEED, file=number):
                try:
                    self.assertTrue(records.read(self.folder))
                    read += 1
                except records.Unusable as sentence:
                    self.assertIn("records.jsonl", str(sentence))
                    refused += 1
        # The damage is neither always fatal nor never.
        self.assertGreater(read, 500)
        self.assertGreater(refused, 5)

    def test_what_was_read_makes_a_whole_page(self):
        pages = 0
        for number in range(25):
            self.damage_a_file()
            with self.subTest(seed=SEED, file=number), \
                    contextlib.redirect_stderr(io.StringIO()), \
                    contextlib.redirect_stdout(io.StringIO()):
                if main([str(self.folder), "--out", str(self.folder / "page")]) == 0:
                    self.assertNotIn("<b>", Page((self.folder / "page/index.html").read_text()).source)
                    pages += 1
        self.assertGreater(pages, 5)


if __name__ == "__main__":
    unittest.main()
