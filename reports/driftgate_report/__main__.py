"""The command line.

    python3 -m driftgate_report DIR... [--out DIR]

Reads each DIR/records.jsonl and writes index.html into the output folder. Exit codes: 0 the page
was written, 2 the input cannot be used, 4 the page could not be written.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from driftgate_report import page, records


def write(folder, text):
    """Replaces folder/index.html in one go, so that a reader never meets half a page."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=folder, prefix="index.", suffix=".part")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(part, 0o644)
        os.replace(part, folder / "index.html")
    except BaseException:
        os.unlink(part)
        raise
    return folder / "index.html"


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="driftgate report", description="Writes a page about the runs recorded in folders.")
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path,
                        help="a folder with a records.jsonl")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("out/report"),
                        help="where index.html goes (default: %(default)s)")
    options = parser.parse_args(arguments)

    def stop(code, sentence):
        print(f"driftgate report: {sentence}", file=sys.stderr)
        return code

    try:
        runs = [run for folder in options.folders for run in records.read(folder)]
    except records.Unusable as error:
        return stop(2, error)
    for note in dict.fromkeys(note for run in runs for note in run.notes):
        print(f"driftgate report: {note}", file=sys.stderr)
    text = page.render(runs)
    try:
        print(write(options.out, text))
    except OSError as error:
        return stop(4, f"the page cannot be written to {options.out}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
