"""Ways in which a printed number can be wrong, and in which a snippet's input can be changed."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from decimal import Decimal

from proofread.inline import Numeral
from proofread.literals import WORDS
from proofread.page import Page

SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
OTHER = {
    "KiB": "kB", "MiB": "MB", "GiB": "GB", "TiB": "TB", "kB": "KiB", "MB": "MiB", "GB": "GiB",
    "%": "×", "×": "%",
}  # fmt: skip


def of_number(page: Page, numeral: Numeral) -> Iterator[tuple[str, str]]:
    """(what changed, the page's source with one number printed wrong)."""
    source, (start, end) = page.source, numeral.digits
    for change in [*_off_by_one(source[start:end]), *_exchanged(source[start:end])]:
        yield f"{source[start:end]} -> {change}", source[:start] + change + source[end:]
    unit = re.match(r"\\?[ ,]?(?:\\text\{)?([KMGT]?i?B|%|×)", source[end : end + 12])
    if unit and unit[1] in OTHER:
        at, to = (end + i for i in unit.span(1))
        yield f"{unit[1]} -> {OTHER[unit[1]]}", source[:at] + OTHER[unit[1]] + source[to:]


def _off_by_one(text: str) -> Iterator[str]:
    """Every number one step of its last place up and down; every exponent one up."""
    if text.lower() in WORDS:
        yield from (w for w, n in WORDS.items() if abs(n - WORDS[text.lower()]) == 1)
        return
    digits = re.search(r"[0-9](?:[0-9.,{}\\]*[0-9])?", text)
    if not digits:
        return
    comma = "{,}" if "{,}" in text else ","
    value = Decimal(digits[0].replace(comma, ""))
    step = Decimal(1).scaleb(int(value.as_tuple().exponent))
    for changed in (value + step, value - step):
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
