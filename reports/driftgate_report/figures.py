"""The page's figures, as inline SVG whose colours follow the page's style sheet."""

import io
import logging
import re
import warnings

# Before the import, which otherwise complains where the home folder cannot be written to.
logging.getLogger("matplotlib").setLevel(logging.ERROR)

import matplotlib
from matplotlib.figure import Figure

from driftgate_report import numbers
from driftgate_report.records import BINS
from driftgate_report.summary import ELEMENT_CLASSES, OUTPUT_CLASSES

# Stand-ins for the variables of page.css, so that one figure serves light and dark mode.
VARIABLES = ("ink", "rule", "beyond", "series-1", "series-2", "series-3", "series-4")
INK, RULE, BEYOND, *SERIES = COLOURS = [f"#0102{i:02x}" for i in range(len(VARIABLES))]
# Told apart without colour, too: solid, dashed, dotted, dash-dotted.
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 9, "text.color": INK,
    "axes.edgecolor": RULE, "axes.labelcolor": INK,
    "xtick.color": RULE, "ytick.color": RULE, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "grid.color": RULE, "grid.linewidth": 0.4,
    "svg.fonttype": "none", "svg.hashsalt": "driftgate", "text.parse_math": False,
}
WIDTH = 5.2  # inches; the text can still be read when scaled down to a phone's 360 pixels


def svg(draw, height, name):
    """What draw(axes) draws, as an <svg> element; the name sets its ids apart from others'."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        # About glyphs that Matplotlib's font lacks; it is the browser that draws them.
        warnings.simplefilter("ignore")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True,
                       metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    drawing = re.sub(r"<(metadata|style)\b.*?</\1>|<!--.*?-->", "", out.getvalue(), flags=re.S)
    drawing = re.sub(r"\n\s*", "\n", drawing[drawing.index("<svg"):])
    drawing = re.sub(r'<g id="[^"]*"', "<g", drawing)  # nothing refers to a group
    drawing = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", drawing)
    for colour, variable in zip(COLOURS, VARIABLES):
        drawing = drawing.replace(colour, f"var(--{variable})")
    return drawing


def errors(outputs, name):
    """Histogram of error / allowed; outputs as Kernel.outputs() gives them."""
    edges = [i / 20 for i in range(BINS)] + [1.15]  # the last bin holds all from 1 on
    tallest = max(max(output["histogram"]) for output in outputs.values())

    def draw(axes):
        axes.axvspan(1, edges[-1], color=BEYOND, linewidth=0)
        axes.axvline(1, color=INK, linewidth=1.2)
        handles = [
            axes.stairs(output["histogram"], edges, linewidth=1.8, color=SERIES[i % len(SERIES)],
                        linestyle=DASHES[i % len(DASHES)])
            for i, output in enumerate(outputs.values())]
        axes.set_yscale("log", nonpositive="clip")
        axes.yaxis.set_major_formatter(lambda n, _: numbers.grouped(round(n)))
        axes.minorticks_off()
        axes.set_ylim(0.7, 3 * tallest + 10)
        axes.set_xlim(0, edges[-1])
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1, 1.075],
                        ["0", "0.2", "0.4", "0.6", "0.8", "1", ">1"])
        axes.text(0.985, 0.97, "allowed", ha="right", va="top",
                  transform=axes.get_xaxis_transform())
        axes.set_xlabel("error / allowed (no unit)")
        axes.set_ylabel("outputs (number, log scale)")
        axes.grid(axis="y")
        # A space in front: Matplotlib leaves labels that begin with an underscore out.
        labels = [f" {role}, largest {numbers.ratio(output['max_ratio'])}"
                  for role, output in outputs.items()]
        axes.legend(handles, labels, ncol=1, frameon=False, handlelength=3.5, loc="upper center",
                    bbox_to_anchor=(0.5, -0.18))

    return svg(draw, 3.2 + 0.17 * len(outputs), name)


def inputs(shares, name):
    """How common each class of inputs and outputs is; shares as Kernel.inputs() gives them."""
    labels = {**ELEMENT_CLASSES, **OUTPUT_CLASSES}
    least = 1e-4  # per cent

    def draw(axes):
        # Outputs are set apart from elements by a gap, a colour and a heading.
        places = [i + 1.6 * (key in OUTPUT_CLASSES) for i, key in enumerate(labels)]
        for place, key in zip(places, labels):
            axes.barh(place, max(0, 100 * shares[key] - least), left=least, height=0.62,
                      color=SERIES[key in OUTPUT_CLASSES])
            axes.text(1.02, place, numbers.percent(shares[key]), va="center",
                      transform=axes.get_yaxis_transform())
        for first, heading in ((0, "share of input elements"), (places[-3], "share of outputs")):
            axes.text(0.01, first - 0.95, heading, va="center",
                      transform=axes.get_yaxis_transform())
        axes.set_xscale("log")
        axes.set_xlim(least, 100)
        axes.set_ylim(places[-1] + 0.6, -1.5)
        axes.set_yticks(places, labels.values())
        axes.tick_params(axis="y", length=0)
        axes.set_xticks([1e-4, 1e-2, 1, 100], ["0.0001", "0.01", "1", "100"])
        axes.minorticks_off()
        axes.set_xlabel("share (%, log scale)")
        axes.grid(axis="x")

    return svg(draw, 3.4, name)
