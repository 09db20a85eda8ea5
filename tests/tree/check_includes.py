"""Checks by the #include lines that dependencies point one way, which no compiler does.

    python3 check_includes.py ROOT

Prints one line for each include that is not allowed; exits 1 if there is one.
"""

import os
import re
import sys
from pathlib import Path

# Folder -> what its files may include besides headers from elsewhere. The longest matching folder
# decides; None: anything. A new top-level folder with C++ in it has to be entered here.
ALLOWED = {
    "oracles": ["oracles"],
    "oracles/formats": ["oracles/formats"],
    "oracles/numbers": ["oracles/numbers", "oracles/formats"],
    "oracles/rules": ["oracles/rules", "oracles/tiers", "oracles/numbers", "oracles/formats"],
    "kernels": ["kernels", "driftgate"],
    "properties": ["properties", "oracles"],
    "longrun": ["longrun", "properties", "oracles"],
    "gate": ["gate", "longrun", "properties", "oracles", "kernels/abi", "driftgate"],
    "bench": None,
    "tests": None,
    "examples": None,
}
# Folders that an include path of the project can start with; "driftgate" is the ABI's.
OURS = {folder.split("/")[0] for folder in ALLOWED} | {"driftgate"}
SOURCES = {".h", ".hpp", ".cuh", ".c", ".cpp", ".cu"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<]([^">]+)[">]|.*)')


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def sources(root):
    """Every C, C++ and CUDA file outside build folders, out/ and hidden ones."""
    for folder, subfolders, files in os.walk(root):
        top = Path(folder) == root
        subfolders[:] = sorted(
            name for name in subfolders
            if not name.startswith(".") and not (top and re.match(r"(build|out)", name)))
        for name in sorted(files):
            if Path(name).suffix in SOURCES:
                yield (Path(folder) / name).relative_to(root).as_posix()


def target(root, source, name):
    """The project's path that an include means, or None for a header from elsewhere."""
    beside = os.path.normpath(os.path.join(os.path.dirname(source), name))
    if (root / beside).is_file():
        return beside.replace(os.sep, "/")
    path = os.path.normpath(name)
    return path if path.split("/")[0] in OURS else None


def violations(root):
    """Sentences, one for each include that points the wrong way."""
    root = Path(root)
    for source in sources(root):
        folder = max((f for f in ALLOWED if within(source, f)), key=len, default=None)
        if folder is None:
            yield f"{source}: its folder has no entry in check_includes.py"
            continue
        if ALLOWED[folder] is None:
            continue
        text = (root / source).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if match[2] is None:
                yield f"{source}:{number}: the name of an included file must be written out"
                continue
            included = target(root, source, match[2])
            if included and not any(within(included, allowed) for allowed in ALLOWED[folder]):
                yield f"{source}:{number}: {folder}/ may not include {included}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(violations(sys.argv[1]))
    print("\n".join(found) or "every include points the right way")
    sys.exit(1 if found else 0)
