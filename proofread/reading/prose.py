"""Numbers in a line of prose: as digits and as words, with their units and what explains them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from proofread.reading import rules, words
from proofread.reading.characters import LOWERED, RAISED
from proofread.reading.literals import DIGITS, LITERAL, POWER, TEN, UNITS, VULGAR, read
from proofread.reading.spans import Numeral

SPACE = r"[ \u00a0\u202f]"
UNIT = "|".join(sorted(map(re.escape, UNITS.keys() - {"-fold", "s", "B"}), key=len, reverse=True))
NUMBER = re.compile(
    rf"(?P<sign>(?<![\w)\]%×°])[-−+])?"
    rf"(?:(?<![^\s(\[=≈|−])(?P<hole>\?+(?:\.\?+)?)(?![\w?])"
    rf"|∞|[{''.join(VULGAR)}]|(?<![\w.])\d+/0*[1-9]\d*(?![\d/.])"
    rf"|(?<![\w.])(?:{DIGITS})(?:[eE][-−+]?\d{{1,3}}(?!\d)|\s?[×·]\s?{TEN}|{POWER})?)"
    rf"(?P<unit>(?:\s?(?:[%°]|×(?!\s?\d))|{SPACE}?(?:{UNIT})(?![\w/])|{SPACE}s(?![\w/])|-fold))?"
)
ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|some|near|approximately)\s|[≈~]\s?)$", re.I
)
SHARING = ("–", " to ", " and ", " or ", ", and ", ", or ")
PLAIN = str.maketrans(RAISED + LOWERED, "0123456789" * 2)
BRACKETS = re.compile(r"\[[\s\[\]0,;]*\]|\([\s()0,;]*\)")


def numerals(text: str, offset: int, listed: tuple[str, ...], place: str) -> list[Numeral]:
    """Every number of a text: no run of digits in it is left out."""
    found = []
    for m in NUMBER.finditer(text):
        numeral = from_match(m, offset, place)
        if ABOUT.search(text[max(m.start() - 20, 0) : m.start()]):
            numeral.literal = replace(numeral.literal, about=True)
        found.append(numeral)
    found += _words(text, offset, place)
    found += _glued(text, offset, place, found)
    if found:
        _explain(found, text, offset, listed)
    return sorted(found, key=lambda n: n.start)


def _explain(found: Sequence[Numeral], text: str, offset: int, listed: tuple[str, ...]) -> None:
    """Give each number the first rule whose match is around it."""
    structural = [
        (m.start(), m.end(), name)
        for name, rule in filter(None, [*rules.RULES, rules.names(listed)])
        for m in rule.finditer(text)
    ]
    for numeral in found:
        start, end = numeral.digits[0] - offset, numeral.end - offset
        for a, b, name in structural:
            if not numeral.rule and a <= start and end <= b:
                numeral.rule = name


def from_match(m: re.Match[str], offset: int, place: str) -> Numeral:
    unit = (m["unit"] or "").strip(" \u00a0\u202f")
    text = m[0][: len(m[0]) - len(m["unit"] or "")]
    if not LITERAL.fullmatch(text):
        raise ValueError(f"the two number patterns disagree on {text!r}")
    start = offset + m.start()
    return Numeral(start, offset + m.end(), read(text, unit), place, (start, start + len(text)))


def _words(text: str, offset: int, place: str) -> Iterator[Numeral]:
    for m in words.find(text):
        tail = m["unit"] or m["scale"] or ""
        unit = tail.lower() if m["unit"] == "-fold" else tail.lower().strip(" -\n\t")
        start, end = offset + m.start(), offset + m.end()
        digits = (start, end - len(tail))
        literal = read(m[0].removesuffix(tail), unit)
        rule = rules.mention(text, m.start(), m.end()) if m["count"] else ""
        yield Numeral(start, end, literal, "word" if place == "prose" else place, digits, rule)


def _glued(text: str, offset: int, place: str, seen: Sequence[Numeral]) -> Iterator[Numeral]:
    """Digits glued to letters or dots, and raised or lowered: fp16 has a rule, x2 has none."""
    rest = list(text)
    for numeral in seen:
        for i in range(numeral.start - offset, numeral.end - offset):
            rest[i] = " "
    for m in re.finditer(rf"\d+|(?P<up>[{RAISED}]+)|(?P<down>[{LOWERED}]+)", "".join(rest)):
        at = (offset + m.start(), offset + m.end())
        beside = re.search(r"[^\W\d_]$|[)⁻]$", text[: m.start()])
        power = beside and m["up"] and len(m[0]) == 1
        rule = "exponent" if power else "index" if beside and m["down"] else ""
        yield Numeral(*at, read(m[0].translate(PLAIN)), place, at, rule)


def share_units(found: Sequence[Numeral], text: str, offset: int) -> None:
    """4, 1 and 0.125 GiB are three sizes; 5–7% are two shares."""
    for one, two in reversed(list(pairwise(found))):
        between = text[one.end - offset : two.start - offset]
        joined = between in SHARING or (between == ", " and two.end == two.digits[1])
        bare = two.literal.unit and not one.literal.unit and not one.rule
        if joined and bare and one.place == two.place:
            one.literal = replace(one.literal, unit=two.literal.unit)


def lists(found: Sequence[Numeral], text: str, offset: int) -> Iterator[tuple[int, int]]:
    """Brackets that hold nothing but numbers: [1, 0], (1, 8, 5, 16), [[1, 0], [0, 1]]."""
    plain = list(text)
    for n in found:
        if n.place != "word":
            plain[n.start - offset : n.end - offset] = "0" * (n.end - n.start)
    for m in BRACKETS.finditer("".join(plain)):
        if "0" in m[0]:
            yield offset + m.start(), offset + m.end()
