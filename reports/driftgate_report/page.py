"""The page: figures and their words, put into page.html."""

from pathlib import Path

import jinja2
from markupsafe import Markup

from driftgate_report import figures, summary
from driftgate_report.numbers import UNKNOWN, counted, duration, grouped, percent, plain, ratio


def errors(outputs, name):
    """Title, description and drawing of the histogram of error / allowed."""
    role, worst = max(outputs.items(), key=lambda item: item[1]["max_ratio"])
    judged = sum(output["judged"] for output in outputs.values())
    drawn = sum(sum(output["histogram"]) for output in outputs.values())
    if worst["max_ratio"] > 1:
        title = f"The error of {role} is up to {ratio(worst['max_ratio'])} times what is allowed"
    else:
        title = (f"All {counted(judged, 'output')} are within the allowed error; "
                 f"the worst, in {role}, uses {ratio(worst['max_ratio'])} of it")
    if drawn != judged:
        title += f" (the histogram counts {grouped(drawn)})"
    description = "Histogram of error / allowed. " + "; ".join(
        f"{role}: {counted(output['judged'], 'output')}, largest {ratio(output['max_ratio'])}, "
        f"{grouped(output['histogram'][-1])} of {grouped(sum(output['histogram']))} not below 1"
        for role, output in outputs.items())
    return title, description, Markup(figures.errors(outputs, name))


def inputs(elements, judged, shares, name):
    """Title, description and drawing of the distribution of the inputs."""
    title = (f"{percent(shares['subnormal'])} of {counted(elements, 'input element')} are "
             f"subnormal; {percent(shares['tie'])} of {counted(judged, 'output')} lie near a "
             "rounding tie")
    classes = summary.ELEMENT_CLASSES | summary.OUTPUT_CLASSES
    description = "Bar chart of the inputs. " + "; ".join(
        f"{classes[key]}: {percent(share)}" for key, share in shares.items())
    return title, description, Markup(figures.inputs(shares, name))


def drawings(kernel, name):
    """The kernel's figures; the name sets their ids apart from those of others."""
    outputs = kernel.outputs()
    if outputs:
        yield errors(outputs, f"e{name}")
    elements, judged, shares = kernel.inputs()
    if elements:
        yield inputs(elements, judged, shares, f"i{name}")


def worst(result):
    """Worst error / allowed. Null says that bits are compared, or infinite if errors are judged."""
    outputs = [output for output in (result["outputs"] or {}).values() if output]
    infinite = any(output["judged"] and output["max_ratio"] is None for output in outputs)
    return "∞" if result["worst_ratio"] is None and infinite else ratio(result["worst_ratio"])


def listed(items, most=12):
    items = [UNKNOWN if item is None else str(item) for item in items or ()]
    return ", ".join(items[:most]) + (f", … ({len(items)} in all)" if len(items) > most else "")


def render(runs):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(
        counted=counted, duration=duration, grouped=grouped, listed=listed,
        percent=percent, plain=plain, ratio=ratio, worst=worst)
    return environment.get_template("page.html").render(
        runs=runs, summary=summary, drawings=drawings, unknown=UNKNOWN)
