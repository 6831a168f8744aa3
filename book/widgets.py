"""The interactive parts: `<attn-NAME>` elements, whose children show where no script runs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

from markdown.treeprocessors import Treeprocessor

from book.rendering import ROOT

FOLDER = ROOT / "docs/widgets"
PREFIX = "attn-"


def tags() -> list[str]:
    """The elements that docs/widgets/ defines, one a file."""
    return sorted(PREFIX + name for name in heights())


def heights() -> dict[str, dict[str, int]]:
    """How high each widget stands, in px, in a narrow and in a wide place; a test measures it."""
    table: dict[str, dict[str, int]] = json.loads((FOLDER / "heights.json").read_text())
    return table


class Widgets(Treeprocessor):
    """Reserves each widget's place, so that nothing moves when it comes to life."""

    def run(self, root: ET.Element) -> None:
        measured = heights()
        for element in root.iter():
            if isinstance(element.tag, str) and element.tag.startswith(PREFIX):
                height = measured[element.tag.removeprefix(PREFIX)]
                element.set("class", "widget")
                style = f"--narrow:{height['narrow']}px;--wide:{height['wide']}px"
                element.set("style", style)
