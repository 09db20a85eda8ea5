"""Reads records.jsonl (docs/records.md) and vouches for the types of everything it returns.

Records come from runs that crash and from kernels that are not trusted, so a field that is missing
or of the wrong type becomes None, a line that cannot be used is left out, and both leave a note.
"""

import json
import math
import sys
from dataclasses import dataclass, field

SCHEMA = "driftgate.record/1"
BINS = 21  # of an output's histogram: 20 of width 0.05 below 1, then all the rest
LONGEST_TEXT = 2000  # characters; more than any replay command, and keeps a page small


class Unusable(Exception):
    """There is nothing to report; the message is one sentence for the user."""


@dataclass
class Run:
    path: str
    begin: dict = field(default_factory=lambda: dict.fromkeys(LINES["run"]))
    results: list = field(default_factory=list)
    end: dict = None
    notes: list = field(default_factory=list)  # what is wrong with the records, in sentences


# A kind turns a value into what the page may rely on, or says what is wrong with it and gives None.

def text(value, note):
    """Text without control characters, bidirectional overrides and lone surrogates."""
    if not isinstance(value, str):
        return note("is not text")
    shown = value[:LONGEST_TEXT] + ("…" if len(value) > LONGEST_TEXT else "")
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}"
        for c in shown)


def count(value, note):
    """A whole number that fits in 64 bits."""
    if type(value) is not int or not 0 <= value < 2**64:
        return note("is not a count")
    return value


def real(value, note):
    if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
        return note("is not a finite number")
    return float(value)


def ratio(value, note):
    """Error / allowed, from 0 to infinity; JSON has no infinity, so null may stand for it."""
    if type(value) not in (int, float) or not 0 <= value:
        return note("is not a ratio")
    return float(value) if value <= sys.float_info.max else math.inf


def optional(kind):
    return lambda value, note: None if value is None else kind(value, note)


def array(kind, size=None):
    def convert(value, note):
        if not isinstance(value, list) or size not in (None, len(value)):
            return note("is not an array" + (f" of {size}" if size else ""))
        items = [kind(item, lambda fault: note(f"has an item that {fault}")) for item in value]
        return None if size and None in items else items
    return convert


def member(value, name, kind, note):
    return kind(value[name], lambda fault: note(f"has a '{text(name, note)}' that {fault}"))


def table(kind):
    """An object with any names."""
    def convert(value, note):
        if not isinstance(value, dict):
            return note("is not an object")
        return {text(name, note): member(value, name, kind, note) for name in value}
    return convert


def later(kind, otherwise):
    """A field that records of earlier versions lack."""
    def convert(value, note):
        return kind(value, note)
    convert.otherwise = otherwise
    return convert


def fields(kinds):
    """An object with these names; others are ignored."""
    def convert(value, note):
        if not isinstance(value, dict):
            return note("is not an object")
        return {name: member(value, name, kind, note) if name in value
                else kind.otherwise if hasattr(kind, "otherwise")
                else note(f"has no '{name}'") for name, kind in kinds.items()}
    return convert


CONTRACT = dict.fromkeys(("dtypes", "options", "numerics", "budget"), optional(text))
FAILURE = {
    "replay": text, "file": text, "output": text, "tensor": optional(count),
    "element": optional(count), "sizes": array(count), "step": optional(count),
    "scalars": table(optional(real)), "inputs": table(fields({"value": text, "bits": text})),
    "got": text, "exact": text, "allowed": text, "got_bits": text, "ratio": optional(ratio),
    "allowed_values": array(text), "allowed_range": later(array(text), []),
    "format": later(text, ""), "stage": text, "sentence": text,
}
LINES = {
    "run": {
        "time": text, "command": array(text), "version": text, "commit": optional(text),
        "seed": count, "level": text, "libraries": table(text),
        "machine": fields({"device": text, "name": text, "system": text, "cores": count}),
    },
    "result": {
        "kernel": text, "rule": text, "source": text, "device": text, "contract": fields(CONTRACT),
        "unverified": array(text),
        "law": text, "verdict": text, "detail": text, "seed": count, "cases": count,
        "outputs_judged": count, "seconds": real, "worst_ratio": optional(ratio),
        "tiers": table(count), "audited": count,
        "outputs": table(fields({
            "judged": count, "max_ratio": optional(ratio), "histogram": array(count, BINS)})),
        "inputs": table(real), "failure": optional(fields(FAILURE)),
    },
    "end": {
        "exit": count, "seconds": real, "results": count, "verified": count, "failed": count,
        "ill_posed": count, "skipped": count, "error": optional(text),
    },
}
# Without these a result says nothing.
VITAL = ("kernel", "law", "verdict")


def parse(line, note):
    """The object in a line of a known schema and type, or None."""
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return note("is not JSON" if line.endswith(b"\n") else "was cut off in the middle")
    if not isinstance(value, dict) or not isinstance(value.get("schema"), str):
        return note("is not a record")
    if value["schema"] != SCHEMA:
        schema = text(value["schema"], note)[:80]
        return note(f"is of schema '{schema}', and this report reads {SCHEMA} only")
    if not isinstance(value.get("run"), str):
        return note("does not say to which run it belongs")
    if not isinstance(value.get("type"), str):
        return note("has no type")
    return value if value["type"] in LINES else None  # a type that came later is no fault


def read(folder):
    """The runs in folder/records.jsonl, in the order in which they begin; raises Unusable."""
    path = folder / "records.jsonl"
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from None
    runs, notes = {}, []
    for number, line in enumerate(lines, 1):
        def note(fault, number=number):
            notes.append(f"{path}: line {number} {fault}")

        value = parse(line, note) if line.strip() else None
        if value is None:
            continue
        name, kind = value["run"], value["type"]
        if name not in runs:
            runs[name] = Run(str(path), notes=notes)
            if kind != "run":
                note("belongs to a run whose first line is missing")
        record = fields(LINES[kind])(value, note)
        if kind == "run":
            runs[name].begin = record
        elif kind == "end":
            runs[name].end = record
        elif all(record[vital] for vital in VITAL):
            runs[name].results.append(record)
    if not runs:
        raise Unusable(notes[0] if notes else f"{path} holds no records")
    return list(runs.values())
