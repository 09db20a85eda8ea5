"""What a run comes to: its verdict in one line, and its results gathered by kernel."""

import math
from dataclasses import dataclass

from driftgate_report.numbers import counted, grouped
from driftgate_report.records import BINS

# Any other verdict, also one that came later, is a failure.
NO_FAILURE = ("verified", "ill_posed", "skipped")
# In a record's `inputs` the first are shares of the input elements, the others of the judged outputs.
ELEMENT_CLASSES = {"zero": "zero", "subnormal": "subnormal", "power_of_two": "power of two",
                   "infinite": "infinite", "nan": "NaN"}
OUTPUT_CLASSES = {"tie": "near a rounding tie", "special": "special value",
                  "ill_posed": "ill-posed"}


def failed(result):
    return result["verdict"] not in NO_FAILURE


def shares(parts):
    """Name to share of the whole, without the empty parts."""
    parts = {name: part for name, part in (parts or {}).items() if part}
    return {name: part / sum(parts.values()) for name, part in parts.items()}


@dataclass
class Kernel:
    """All results of one kernel on one device."""

    results: list

    def __getattr__(self, name):  # what its results have in common: kernel, rule, contract, ...
        return self.results[0][name]

    @property
    def failures(self):
        return [result for result in self.results if failed(result)]

    def law(self, name):
        """The result of a law, a failing one first if there are several, or None."""
        return max((result for result in self.results if result["law"] == name),
                   key=failed, default=None)

    def outputs(self):
        """Role to judged outputs, largest error / allowed and histogram, over all laws."""
        total = {}
        for result in self.results:
            for role, output in (result["outputs"] or {}).items():
                if not output or not output["judged"] or not output["histogram"]:
                    continue
                largest = math.inf if output["max_ratio"] is None else output["max_ratio"]
                so_far = total.setdefault(
                    role, {"judged": 0, "max_ratio": 0.0, "histogram": [0] * BINS})
                total[role] = {
                    "judged": so_far["judged"] + output["judged"],
                    "max_ratio": max(so_far["max_ratio"], largest),
                    "histogram": [a + b for a, b in zip(so_far["histogram"], output["histogram"])],
                }
        return total

    def inputs(self):
        """(elements, outputs, class to its share of the one or the other), over all laws."""
        results = [result for result in self.results
                   if ((result["inputs"] or {}).get("count") or 0) >= 1]
        elements = int(sum(min(result["inputs"]["count"], 2.0**64) for result in results))
        outputs = sum(result["outputs_judged"] or 0 for result in results)

        def share(name):
            key = "count" if name in ELEMENT_CLASSES else "outputs_judged"
            weights = [(result["inputs"] if key == "count" else result)[key] or 0
                       for result in results]
            part = sum((result["inputs"].get(name) or 0) * weight
                       for result, weight in zip(results, weights))
            return min(1, max(0, part / max(1, sum(weights))))

        return elements, outputs, {name: share(name) for name in ELEMENT_CLASSES | OUTPUT_CLASSES}


def kernels(run):
    found = {}
    for result in run.results:
        key = (result["kernel"], result["device"], result["source"])
        found.setdefault(key, []).append(result)
    return [Kernel(results) for results in found.values()]


def laws(run):
    return list(dict.fromkeys(result["law"] for result in run.results))


def tally(run):
    verdicts = [result["verdict"] for result in run.results]
    known = {verdict: verdicts.count(verdict) for verdict in NO_FAILURE}
    return {"results": len(verdicts), "failed": len(verdicts) - sum(known.values()), **known}


def complaints(run):
    """What keeps the records from being the whole story, in sentences."""
    if run.end is None:
        return [*run.notes, "The run was cut off: its last line is missing, "
                            "and with it whatever it had yet to find."]
    return [*run.notes, *(
        f"The run's last line counts {grouped(run.end[name])} {name}, and {grouped(n)} were read."
        for name, n in tally(run).items() if run.end[name] not in (None, n))]


def verdict(run):
    """(class, word): class is good, bad or unsure. Only a fault of the suite outranks a failure."""
    found = tally(run)
    code = run.end["exit"] if run.end else None
    if code == 4:
        return "bad", "The suite itself failed"
    if found["failed"] or code == 1:
        return "bad", "Failed"
    if code is not None and code > 128:
        return "unsure", f"Stopped by signal {code - 128}"
    if run.end is None:
        return "unsure", "Cut off"
    if complaints(run):
        return "unsure", "Incomplete"
    if code or not found["verified"]:
        return "unsure", "Not verified"
    return "good", "Verified"


def sentence(run):
    found = tally(run)
    return (f"{verdict(run)[1]}: {counted(len(kernels(run)), 'kernel')} × "
            f"{counted(len(laws(run)), 'law')}: {grouped(found['verified'])} verified, "
            f"{grouped(found['failed'])} failed, "
            + (f"{grouped(found['ill_posed'])} ill-posed, " if found["ill_posed"] else "")
            + f"{grouped(found['skipped'])} skipped"
            + (", then cut off" if run.end is None and found["failed"] else ""))
