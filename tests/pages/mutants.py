"""Ways in which a printed number can be wrong, and in which a snippet's input can be changed."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from proofread.page import Page, kind
from proofread.reading.spans import Numeral
from proofread.reading.words import WORDS, spell, value

SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
OTHER = {
    "KiB": "kB", "MiB": "MB", "GiB": "GB", "TiB": "TB", "kB": "KiB", "MB": "MiB", "GB": "GiB",
    "%": "×", "×": "%",
}  # fmt: skip
OPERATORS = {" + ": " - ", r"\cdot": "+"}
MINUS = re.compile(r"(?<=[\[(&{= ])[-−](?=\d|∞|\\infty)")

Edit = tuple[int, int, str]


class Mutant(NamedTuple):
    """A page with one thing wrong: what, where, and the edits that make it so, in order."""

    what: str
    at: int
    edits: tuple[Edit, ...]

    def apply(self, source: str) -> str:
        for start, end, text in reversed(self.edits):
            source = source[:start] + text + source[end:]
        return source


def of_number(page: Page, numeral: Numeral) -> Iterator[Mutant]:
    """One number printed wrong: a digit, a word, a unit."""
    source, (start, end) = page.source, numeral.digits
    text = source[start:end]
    for change in [*_off_by_one(text), *_exchanged(text)]:
        yield Mutant(f"{text} -> {change}", start, ((start, end, change),))
    unit = re.match(r"\\?[ ,]?(?:\\text\{)?([KMGT]?i?B|%|×)", source[end : end + 12])
    if unit and unit[1] in OTHER:
        at, to = (end + i for i in unit.span(1))
        yield Mutant(f"{unit[1]} -> {OTHER[unit[1]]}", at, ((at, to, OTHER[unit[1]]),))


def signs(page: Page) -> Iterator[Mutant]:
    """A minus lost, or one too many."""
    for numeral in _computed(page):
        start, end = numeral.digits
        before = page.source[start - 1]
        if page.source[start] in "-−":
            yield Mutant("a minus lost", start, ((start, start + 1, ""),))
        elif numeral.literal.value and numeral.place != "word" and MINUS.match(f"{before}-1", 1):
            yield Mutant("a minus too many", start, ((start, start, "-"),))
    for start, end in _claimed_formulas(page):
        for found in MINUS.finditer(page.source, start, end):
            yield Mutant("a minus lost", found.start(), ((found.start(), found.end(), ""),))


def operators(page: Page) -> Iterator[Mutant]:
    """In a claimed formula, + for − and · for +."""
    for start, end in _claimed_formulas(page):
        for sign, other in OPERATORS.items():
            for found in re.finditer(re.escape(sign), page.source[start:end]):
                at, to = start + found.start(), start + found.end()
                yield Mutant(f"{sign.strip()} -> {other.strip()}", at, ((at, to, other),))


def exchanges(page: Page) -> Iterator[Mutant]:
    """Two neighbouring numbers of a block exchanged, or two claims."""
    source = page.source
    numbers = [numeral.digits for numeral in _computed(page) if numeral.place != "formula"]
    claims = [(claim.start, claim.end) for claim in page.claims if claim.kind == "computed"]
    for what, spans in (("numbers", numbers), ("claims", claims)):
        for (a, b), (c, d) in itertools.pairwise(spans):
            one, two = source[a:b], source[c:d]
            if one != two and block(page, a) == block(page, c):
                yield Mutant(f"{what} exchanged", a, ((a, b, two), (c, d, one)))


def block(page: Page, offset: int) -> int:
    """Which of the page's blocks an offset is in."""
    return next(i for i, b in enumerate(page.blocks) if b.start <= offset < b.end)


def _computed(page: Page) -> list[Numeral]:
    return [numeral for numeral in page.numerals if kind(numeral) == "computed"]


def _claimed_formulas(page: Page) -> Iterator[tuple[int, int]]:
    for claim in page.claims:
        if claim.scope == "math" and claim.piece:
            yield claim.piece.start, claim.piece.end


def _off_by_one(text: str) -> Iterator[str]:
    """Every number one step of its last place up and down; every exponent one up."""
    if (word := value(text)) is not None:
        if word.denominator == 1 and text.lower() not in ("a", "twice", "once"):
            yield from filter(None, (spell(word + step, text) for step in (1, -1)))
        else:
            yield next(other for other in WORDS if other not in (text.lower(), "a"))
        return
    digits = re.search(r"[0-9](?:[0-9.,{}\\]*[0-9])?", text)
    if not digits:
        return
    comma = "{,}" if "{,}" in text else ","
    number = Decimal(digits[0].replace(comma, ""))
    step = Decimal(1).scaleb(int(number.as_tuple().exponent))
    for changed in (number + step, number - step):
        if changed >= 0:
            printed = f"{changed:,}".replace(",", comma) if comma in digits[0] else f"{changed}"
            yield text[: digits.start()] + printed + text[digits.end() :]
    for i, character in enumerate(text):
        if i >= digits.end() and character.isdigit():
            scale = SUPER if character in SUPER else "0123456789"
            yield text[:i] + scale[(scale.index(character) + 1) % 10] + text[i + 1 :]


def _exchanged(text: str) -> Iterator[str]:
    """Two neighbouring digits in the wrong order."""
    places = [i for i, character in enumerate(text) if character in "0123456789"]
    for i, j in itertools.pairwise(places):
        if text[i] != text[j]:
            yield text[:i] + text[j] + text[i + 1 : j] + text[i] + text[j + 1 :]


def of_inputs(code: str) -> Iterator[tuple[str, str]]:
    """(what changed, the program with one of its constants changed): numbers and truth values.

    Digits to which results are rounded for printing are no inputs, and indices of a print no more.
    """
    tree = ast.parse(code)
    printing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and "print" in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        for inner in ast.walk(node)
    }
    lines = code.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(len(line.encode()) for line in lines)]
    raw = code.encode()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in printing:
            continue
        if isinstance(node.value, bool):
            changed = str(not node.value)
        elif isinstance(node.value, (int, float)):
            changed = repr(node.value + 1)
        else:
            continue
        at = starts[node.lineno - 1] + node.col_offset
        to = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        what = f"line {node.lineno}: {node.value} -> {changed}"
        yield what, (raw[:at] + changed.encode() + raw[to:]).decode()
