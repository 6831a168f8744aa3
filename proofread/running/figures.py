"""Figures that a block draws with matplotlib: as SVG, the same bytes every time, ids of their own.

Black becomes the colour of the text around the figure, and letters stay letters, so that a figure
follows the page's colours and fonts.
"""

from __future__ import annotations

import io
import re
import sys
from html import escape
from typing import Any

ID = re.compile(r'(\bid="|\bxlink:href="#|\bhref="#|url\(#)')
HEAD = re.compile(r"^.*?(?=<svg)", re.S)  # declaration and document type
SIZE = re.compile(r'(<svg[^>]*?) width="[^"]*"([^>]*?) height="[^"]*"|(<svg[^>]*?) height="[^"]*"')
METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.S)
BLACK = re.compile(r"#000000\b|#000\b")
RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "proofread",
    "font.family": "inherit",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


def drawn() -> list[int]:
    """The numbers of the figures that are open."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return list(pyplot.get_fignums()) if pyplot else []


def take(name: str, alt: str) -> tuple[str, ...]:
    """Every open figure as SVG, closed; `name` begins the ids of the first, and tells them apart.

    An alternative text is what a reader has who does not see the figure.
    """
    import matplotlib
    from matplotlib import pyplot

    figures = []
    for at, number in enumerate(drawn(), 1):
        figure = pyplot.figure(number)
        file = io.StringIO()
        with matplotlib.rc_context(dict(RC)):
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        figures.append(_own(file.getvalue(), f"{name}-{at}", alt))
        pyplot.close(figure)
    return tuple(figures)


def _own(svg: str, name: str, alt: str) -> str:
    svg = METADATA.sub("", HEAD.sub("", svg))
    svg = ID.sub(rf"\g<1>{name}-", svg)
    svg = BLACK.sub("currentColor", svg)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    label = f'role="img" aria-label="{escape(alt)}"'
    return svg.replace("<svg ", f"<svg {label} ", 1).strip()
