"""Numbers in HTML attributes that readers see.

An element with a dash in its name shows what its attributes say, so their numbers count: all of
them, except in attributes that only name or style. Of any element, `alt`, `title`, `aria-label` and
`placeholder` are prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from proofread.reading import prose
from proofread.reading.literals import read
from proofread.reading.spans import Numeral

TAG = re.compile(
    r"</?(?P<name>[A-Za-z][\w-]*)"
    r"(?P<attributes>(?:\s+[\w:@.-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?)*)\s*/?>"
)
ATTRIBUTE = re.compile(r"([\w:@.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))")
SILENT = {"id", "class", "style", "slot", "markdown", "href", "src"}
PROSE = {"alt", "title", "aria-label", "placeholder"}
NUMBER = re.compile(r"(?<![\w.])[-−+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?!\d))?")


def numerals(tag: str, offset: int, listed: tuple[str, ...]) -> list[Numeral]:
    """The numbers that a tag's attributes show, in order."""
    element = TAG.fullmatch(tag)
    if not element:
        return []
    found: list[Numeral] = []
    for m in ATTRIBUTE.finditer(tag, element.start("attributes"), element.end("attributes")):
        name, group = m[1].lower(), next((g for g in (2, 3, 4) if m[g] is not None), 2)
        start = offset + m.start(group)
        if name in PROSE:
            found += prose.numerals(m[group], start, listed, "attribute")
        elif "-" in element["name"] and name not in SILENT:
            for number in NUMBER.finditer(m[group]):
                at = (start + number.start(), start + number.end())
                found.append(Numeral(*at, read(number[0]), "attribute", at))
    return found


def unprovable(attributes: Mapping[str, str], listed: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with the text of a fence or a front matter, which no claim can touch."""
    for name in ("title", "alt", "description"):
        for numeral in prose.numerals(attributes.get(name, ""), 0, listed, "attribute"):
            if not numeral.rule:
                shown = attributes[name][numeral.start : numeral.end]
                yield f"{shown} in {name} cannot carry a claim: say it in the text below"
