"""Finds what can carry a number inside a block: formulas, code marks, links, lists, numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from proofread import formulas, rules
from proofread.arithmetic import Names
from proofread.blocks import Block
from proofread.formulas import Formula
from proofread.literals import DIGITS, LITERAL, RAISED, TEN, UNITS, VULGAR, WORDS, Literal, read
from proofread.tex import FormulaError

if TYPE_CHECKING:
    from proofread.claims import Claim

ATOM = re.compile(
    r"(?P<escape>\\[^\w\s(\[])"
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<math>\$(?![\s$])(?P<tex>(?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)|\\\((?P<tex2>.+?)\\\))"
    r"|(?P<url><?https?://[^\s<>)]+>?)"
    r"|(?P<tag></?[A-Za-z][^<>]*>)"
    r"|(?P<attrs>\{:?\s?[.#][^{}]*\})"
    r"|(?P<note>\[(?:\^|@)[^\]]+\])",
    re.S,
)
LINK = re.compile(
    r"(?P<bang>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"(?P<target>\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]+\])"
)
SPACE = r"[ \u00a0\u202f]"
UNIT = "|".join(sorted(map(re.escape, UNITS.keys() - {"-fold", "s", "B"}), key=len, reverse=True))
NUMBER = re.compile(
    rf"(?P<sign>(?<![\w)\]%×°])(?<![\d)]\s)[-−+])?"
    rf"(?:(?<![^\s(\[=≈|−])(?P<hole>\?+(?:\.\?+)?)(?![\w?])"
    rf"|∞|[{''.join(VULGAR)}]|(?<![\w.])\d+/0*[1-9]\d*(?![\d/.])"
    rf"|(?<![\w.])(?:{DIGITS})(?:[eE][-−+]?\d{{1,3}}(?!\d)|\s?[×·]\s?{TEN}|{RAISED})?)"
    rf"(?P<unit>(?:\s?(?:[%°]|×(?!\s?\d))|{SPACE}?(?:{UNIT})(?![\w/])|{SPACE}s(?![\w/])|-fold))?"
)
NUMERIC_CODE = re.compile(r"[\s\d.,()\[\]+−\-×%eE_∞?]*")
ASSIGNMENT = re.compile(r"[\w.]+ =+ (?P<value>[\s\d.,()\[\]+−\-eE_]+)")
ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|some|near|approximately)\s|[≈~]\s?)$", re.I
)
DISPLAYED = re.compile(r"(\s*(?:\$\$|\\\[)?)(.*?)((?:\$\$|\\\])?\s*)", re.S)
SHARING = ("–", " to ", " and ", " or ", ", and ", ", or ")
MULTIPLES = re.compile(rf"\b(?P<word>{'|'.join(WORDS)})\s(?P<unit>times|percent)\b", re.I)


@dataclass
class Numeral:
    """A number that a reader sees, with its place in the page."""

    start: int
    end: int  # with sign and unit
    literal: Literal
    place: str  # prose, formula, code, alt, link
    digits: tuple[int, int] = (0, 0)  # the literal's own text: what `fix` rewrites
    rule: str = ""  # why it is structural
    claim: Claim | None = None  # that proves it


@dataclass
class Piece:
    """A span that a claim can touch as a whole."""

    kind: str  # math, code, link, image, list
    start: int
    end: int
    numerals: list[Numeral] = field(default_factory=list)
    formula: Formula | None = None
    text: str = ""
    target: str = ""


@dataclass
class Inline:
    numerals: list[Numeral] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)  # [^key]: offset, key
    masked: str = ""
    problems: list[tuple[int, str]] = field(default_factory=list)
    names: Names = ()


def lex(block: Block, listed: tuple[str, ...] = (), names: Names = ()) -> Inline:
    """Everything in a block that matters to proofreading; offsets are the page's.

    `listed` are proper names that contain numbers, `names` the symbols that have a value.
    """
    found = Inline(names=names)
    if block.kind == "display":
        if body := DISPLAYED.fullmatch(block.text):
            _math(
                found,
                block.start,
                block.start + body.end(2),
                body[2],
                block.start + body.start(2),
                display=True,
            )
        found.masked = "\0" * len(block.text)
        return found
    if block.kind == "caption":  # /// figure-caption | 7.1: its number is a label
        if m := re.search(r"\d+(?:\.\d+)?", block.text):
            span = (block.start + m.start(), block.start + m.end())
            found.numerals.append(Numeral(*span, read(m[0]), "prose", span, "caption number"))
        found.masked = "\0" * len(block.text)
        return found
    masked = _atoms(found, block)
    masked = _links(found, block, masked)
    found.masked = masked
    _numbers(found, block, masked, listed)
    _lists(found, block, masked)
    found.numerals.sort(key=lambda n: n.start)
    _share_units(found, block)
    for piece in found.pieces:
        if not piece.numerals:
            piece.numerals = [
                n for n in found.numerals if piece.start <= n.start and n.end <= piece.end
            ]
    return found


def _atoms(found: Inline, block: Block) -> str:
    out, at = [], 0
    for m in ATOM.finditer(block.text):
        out += [block.text[at : m.start()], "\0" * len(m[0])]
        at, start, end = m.end(), block.start + m.start(), block.start + m.end()
        if m["comment"]:
            found.comments.append((start, end))
        elif m["math"]:
            group = "tex" if m["tex"] else "tex2"
            _math(found, start, end, m[group], block.start + m.start(group))
        elif m["code"]:
            _code(found, start, end, m["inside"], block.start + m.start("inside"))
        elif m["note"] and m["note"].startswith("[^"):
            found.notes.append((start, m["note"][2:-1]))
    return "".join([*out, block.text[at:]])


def _math(
    found: Inline, start: int, end: int, source: str, at: int, *, display: bool = False
) -> None:
    try:
        formula = _parse(source, display, found.names)
    except FormulaError as error:
        found.problems.append((at, str(error)))
        return
    piece = Piece("math", start, end, formula=formula, text=source)
    for index, (literal, span) in enumerate(zip(formula.literals, formula.spans, strict=True)):
        where = (at + span[0], at + span[1])
        piece.numerals.append(
            Numeral(*where, literal, "formula", where, formula.rules.get(index, ""))
        )
    found.pieces.append(piece)
    found.numerals += piece.numerals


@lru_cache(maxsize=4096)
def _parse(source: str, display: bool, names: Names) -> Formula:
    return formulas.parse(source, display=display, names=names)


def _code(found: Inline, start: int, end: int, inside: str, at: int) -> None:
    piece = Piece("code", start, end, text=inside.strip())
    found.pieces.append(piece)
    assigned = ASSIGNMENT.fullmatch(inside.strip())
    offset = at + (inside.index(assigned["value"]) if assigned else 0)
    body = assigned["value"] if assigned else inside
    if not assigned and not NUMERIC_CODE.fullmatch(body) and not NUMBER.fullmatch(body):
        return  # code: its numbers are code, too
    for m in NUMBER.finditer(body):
        piece.numerals.append(_numeral(m, offset, "code"))
    found.numerals += piece.numerals


def _links(found: Inline, block: Block, masked: str) -> str:
    for m in list(LINK.finditer(masked)):
        start, end = block.start + m.start(), block.start + m.end()
        target = block.text[m.start("target") + 1 : m.end("target") - 1].split()
        found.pieces.append(
            Piece(
                "image" if m["bang"] else "link",
                start,
                end,
                text=block.text[m.start("text") : m.end("text")],
                target=target[0] if target else "",
            )
        )
        masked = masked[: m.start("target")] + "\0" * len(m["target"]) + masked[m.end("target") :]
    return masked


def _numbers(found: Inline, block: Block, masked: str, listed: tuple[str, ...]) -> None:
    structural = [
        (m.start(), m.end(), name)
        for name, rule in filter(None, [*rules.RULES, rules.names(listed)])
        for m in rule.finditer(masked)
    ]
    for offset, text in block.markers:
        found.numerals.append(
            Numeral(
                offset,
                offset + len(text),
                read(text),
                "prose",
                (offset, offset + len(text)),
                "list number",
            )
        )
    images = [p for p in found.pieces if p.kind == "image"]
    for m in NUMBER.finditer(masked):
        numeral = _numeral(m, block.start, "prose")
        if ABOUT.search(masked[: m.start()]):
            numeral.literal = replace(numeral.literal, about=True)
        numeral.rule = next(
            (
                name
                for start, end, name in structural
                if start <= m.start() + len(m["sign"] or "") and m.end() <= end
            ),
            "",
        )
        if (
            block.kind == "heading"
            and rules.HEADING_NUMBER.match(masked[: m.end() + 2])
            and (not masked[: m.start()].strip("# "))
        ):
            numeral.rule = "heading number"
        if any(i.start < numeral.start < i.end for i in images):
            numeral.place = "alt"
        found.numerals.append(numeral)
    for start, end, name in structural:  # digits glued to letters, which NUMBER does not see
        if not any(start <= n.start - block.start < end for n in found.numerals):
            digits = re.search(r"\d+", masked[start:end])
            if digits:
                at = (block.start + start + digits.start(), block.start + start + digits.end())
                found.numerals.append(Numeral(*at, read(digits[0]), "prose", at, name))
    for m in MULTIPLES.finditer(masked):
        at = (block.start + m.start("word"), block.start + m.end("word"))
        found.numerals.append(
            Numeral(at[0], block.start + m.end(), read(m["word"], m["unit"].lower()), "prose", at)
        )


def _numeral(m: re.Match[str], offset: int, place: str) -> Numeral:
    unit = (m["unit"] or "").strip(" \u00a0\u202f")
    text = m[0][: len(m[0]) - len(m["unit"] or "")]
    if not LITERAL.fullmatch(text):
        raise ValueError(f"the two number patterns disagree on {text!r}")
    start = offset + m.start()
    return Numeral(start, offset + m.end(), read(text, unit), place, (start, start + len(text)))


def _share_units(found: Inline, block: Block) -> None:
    """4, 1 and 0.125 GiB are three sizes; 5–7% are two shares."""
    for one, two in reversed(list(pairwise(found.numerals))):
        between = block.text[one.end - block.start : two.start - block.start]
        joined = between in SHARING or (between == ", " and two.end == two.digits[1])
        if (
            joined
            and two.literal.unit
            and not one.literal.unit
            and not one.rule
            and (one.place == two.place)
        ):
            one.literal = replace(one.literal, unit=two.literal.unit)


def _lists(found: Inline, block: Block, masked: str) -> None:
    """Brackets that hold nothing but numbers: [1, 0], (1, 8, 5, 16), [[1, 0], [0, 1]]."""
    plain = list(masked)
    for n in found.numerals:
        for i in range(n.start - block.start, n.end - block.start):
            plain[i] = "0"
    text = "".join(plain)
    for m in re.finditer(r"\[[\s\[\]0,;]*\]|\([\s()0,;]*\)", text):
        if "0" in m[0]:
            found.pieces.append(
                Piece(
                    "list",
                    block.start + m.start(),
                    block.start + m.end(),
                    text=block.text[m.start() : m.end()],
                )
            )
