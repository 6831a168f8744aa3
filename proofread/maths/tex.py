"""Reads a TeX formula through the converter that renders it, so that what is checked is what shows.

Every number in the source is replaced by a serial number before conversion; the `<mn>` elements of
the MathML then lead back to the exact place in the source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

from math_core import LatexError, LatexToMathML

from proofread.reading.literals import DIGITS, TEN

NUMBER = re.compile(
    rf"(?<![\\\w.])(?P<hole>\?+(?:\.\?+)?)"
    rf"|(?<![.\d])(?:{DIGITS})(?:\s*\\(?:times|cdot)\s*{TEN}(?!\d))?"
    r"(?!\d*\.?\d*(?:em|ex|pt|mu)\s*[}\]])"
)
UNBRACED = re.compile(r"[_^]\s*\d{2,}|\\[dt]?frac\s*\d|\\[dt]?frac\{[^{}]*\}\s*\d|\\sqrt\s*\d")
SERIAL = re.compile(r"9\d{5}")
APPLY = "\N{FUNCTION APPLICATION}"


class FormulaError(ValueError):
    """The formula cannot be read; the message says what to write instead."""


@dataclass(frozen=True)
class Num:
    index: int  # into Tex.spans


@dataclass(frozen=True)
class Sym:
    name: str


@dataclass(frozen=True)
class Op:
    sign: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Gap:
    wide: bool  # at least a quad: separates formulas


@dataclass(frozen=True)
class Frac:
    above: Row
    below: Row


@dataclass(frozen=True)
class Root:
    body: Row
    degree: Row


@dataclass(frozen=True)
class Script:
    base: Row
    sub: Row
    sup: Row


@dataclass(frozen=True)
class Grid:
    rows: tuple[tuple[Row, ...], ...]


Node = Num | Sym | Op | Text | Gap | Frac | Root | Script | Grid
Row = tuple[Node, ...]


@dataclass
class Tex:
    """A formula's tree, and where in the source each of its numbers stands."""

    row: Row
    spans: list[tuple[int, int]]
    texts: list[str] = field(default_factory=list)


def read(source: str, *, display: bool = False, macros: dict[str, str] | None = None) -> Tex:
    """Parse TeX. Numbers keep their thousands separators and powers of ten: `4.3 \\times 10^9`."""
    if bad := UNBRACED.search(source):
        raise FormulaError(
            f"write braces around the digits in {bad[0]!r}: TeX takes only the first one"
        )
    found = list(NUMBER.finditer(source))
    numbered, at = [], 0
    for index, match in enumerate(found):
        numbered += [source[at : match.start()], f"{{{900000 + index}}}"]
        at = match.end()
    numbered.append(source[at:])
    converter = LatexToMathML(macros=macros or {}, fancy_error=False)
    try:
        markup = converter.convert_with_local_state("".join(numbered), displaystyle=display)
    except LatexError as error:
        raise FormulaError(f"math-core cannot read it: {error}") from None
    try:
        root = ElementTree.fromstring(markup.replace("&ApplyFunction;", APPLY))
    except ElementTree.ParseError:
        raise FormulaError(f"it holds a character that cannot be typeset: {source!r}") from None
    tex = Tex(_row(root), [m.span() for m in found], [m[0].strip() for m in found])
    seen = sorted(n.index for n in walk(tex.row) if isinstance(n, Num))
    if seen != list(range(len(found))):
        lost = [tex.texts[i] for i in range(len(found)) if seen.count(i) != 1]
        raise FormulaError(f"cannot tell where {', '.join(lost)} shows in the formula")
    return tex


def walk(row: Row) -> list[Node]:
    """Every node of a row and of everything inside it, in no particular order."""
    nodes: list[Node] = []
    for node in row:
        nodes.append(node)
        match node:
            case Frac(a, b) | Root(a, b):
                nodes += walk(a + b)
            case Script(a, b, c):
                nodes += walk(a + b + c)
            case Grid(rows):
                nodes += [inner for cells in rows for cell in cells for inner in walk(cell)]
    return nodes


def canonical(row: Row, texts: Sequence[str]) -> Row:
    """The row with printed numbers instead of their serial numbers, without spaces: comparable."""
    out: list[Node] = []
    for node in row:
        match node:
            case Num(index):
                out.append(Text(texts[index]))
            case Script(base, sub, sup):
                out.append(Script(*(canonical(part, texts) for part in (base, sub, sup))))
            case Gap():
                pass
            case _:
                out.append(node)
    return tuple(out)


def _row(element: ElementTree.Element) -> Row:
    return tuple(node for child in element for node in _nodes(child))


def _nodes(element: ElementTree.Element) -> Row:
    tag, text = element.tag, "".join(element.itertext())
    part = [_nodes(child) for child in element]
    match tag:
        case "mn" | "mi" | "mtext":
            return _leaf(tag, unicodedata.normalize("NFKC", text))
        case "mo" if text.strip().isalpha():
            return (Sym(text.strip()),)  # \sin in a table
        case "mo":
            return (Op(text.strip()),) if text.strip() else ()
        case "mspace":
            return (Gap(float(element.get("width", "0em").rstrip("em") or 0) >= 1),)
        case "mfrac" if element.get("linethickness") != "0":
            return (Frac(part[0], part[1]),)
        case "msqrt":
            return (Root(_row(element), ()),)
        case "mroot":
            return (Root(part[0], part[1]),)
        case "msub" | "munder":
            return (Script(part[0], part[1], ()),)
        case "msup" | "mover":
            return (Script(part[0], (), part[1]),)
        case "msubsup" | "munderover":
            return (Script(part[0], part[1], part[2]),)
        case "mtable":
            return (Grid(tuple(tuple(_row(cell) for cell in row) for row in element)),)
        case "mrow" | "mstyle" | "mpadded" | "menclose" | "math" | "mphantom":
            return _row(element)
    return (Sym(f"<{tag}>"), *_row(element))


def _leaf(tag: str, text: str) -> Row:
    """Numbers may hide in identifiers (`\\mathbf{0.5}`) and in text (`\\text{4 GiB}`)."""
    if not text.strip():
        return (Gap(False),)
    nodes: list[Node] = []
    at = 0
    for match in SERIAL.finditer(text):
        nodes += [_plain(tag, text[at : match.start()]), Num(int(match[0]) - 900000)]
        at = match.end()
    nodes.append(_plain(tag, text[at:]))
    return tuple(node for node in nodes if node != Text(""))


def _plain(tag: str, text: str) -> Node:
    text = text.strip()
    return Sym(text) if tag == "mi" and text else Text(text)
