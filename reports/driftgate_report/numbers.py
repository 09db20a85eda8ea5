"""How numbers are written on the page."""

import math

UNKNOWN = "–"
THIN = "\N{NARROW NO-BREAK SPACE}"


def grouped(n):
    """1234567 -> 1 234 567."""
    return UNKNOWN if n is None else f"{n:,}".replace(",", THIN)


def counted(n, noun):
    return f"{grouped(n)} {noun}{'' if n == 1 else 's'}"


def plain(x):
    """All digits of a hyperparameter."""
    return UNKNOWN if x is None else repr(x).removesuffix(".0")


def ratio(r):
    """Three digits, or as many more as it takes to see on which side of 1 it lies."""
    if r is None:
        return UNKNOWN
    if r == math.inf:
        return "∞"
    for digits in range(3, 18):
        shown = f"{r:.{digits}g}"
        if (float(shown) > 1, float(shown) < 1) == (r > 1, r < 1):
            break
    return shown.replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def percent(share):
    if share == 0:
        return "none"
    if share < 1e-6:
        return f"<{THIN}0.0001{THIN}%"
    # Never 100 % for what is not all.
    shown = f"{100 * share:.2g}" if share < 0.1 else f"{math.floor(1000 * share) / 10:g}"
    return f"{shown}{THIN}%"


def duration(seconds):
    if seconds is None:
        return UNKNOWN
    if seconds < 60:
        return f"{seconds:.3g}{THIN}s" if seconds >= 1 else f"{seconds:.2f}{THIN}s"
    minutes, hours = seconds / 60, seconds / 3600
    return f"{minutes:.3g}{THIN}min" if minutes < 60 else f"{hours:.3g}{THIN}h"
