"""Finds what can carry a number inside a block: formulas, code marks, links, tags, lists, words."""

from __future__ import annotations

import re
from functools import lru_cache

from proofread.marks import Finding
from proofread.maths import formulas
from proofread.maths.arithmetic import Names
from proofread.maths.formulas import Formula
from proofread.maths.tex import FormulaError
from proofread.reading import attributes, codemarks, dialect, html, prose, rules
from proofread.reading.blocks import Block
from proofread.reading.literals import read
from proofread.reading.markup import SHOWN
from proofread.reading.spans import Inline, Numeral, Piece

ATOM = re.compile(
    r"(?P<escape>\\[\\`*_{}\])>#+\-.!$|])"
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<math>\$(?![\s$])(?P<tex>(?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)|\\\((?P<tex2>.+?)\\\))"
    r"|(?P<url><?https?://[^\s<>)]+>?)"
    rf"|(?P<tag>{attributes.TAG.pattern})"
    r"|(?P<note>(?<!\\)\[(?:\^|@)[^\]]+\])",
    re.S,
)
LINK = re.compile(
    r"(?P<bang>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"(?P<target>\([^()\s]*(?:\s+\"(?P<title>[^\"]*)\")?\))"
)
ATTRIBUTES = re.compile(r"(?<=\0)\{:?[^{}\n]+\}|(?P<heading>(?<=\s)\{:?[^{}\n]+\}\s*\Z)")
ATTACHED = re.compile(r"(?:^|[^\\])[)`]$")
DISPLAYED = re.compile(r"(\s*(?:\$\$|\\\[)?)(.*?)((?:\$\$|\\\])?\s*)", re.S)
CAPTION = re.compile(r"\s*/{3,}\s*\w+-caption\s*\|\s*(?P<number>\d+(?:\.\d+)?)\s*")


def lex(block: Block, listed: tuple[str, ...] = (), names: Names = (), code: str = "") -> Inline:
    """Everything in a block that matters to proofreading; offsets are the page's.

    `listed` are proper names that contain numbers, `names` the symbols that have a value, and
    `code` is what code marks may quote.
    """
    found = Inline(names=names)
    if block.kind == "display":
        if body := DISPLAYED.fullmatch(block.text):
            start, at = block.start, block.start + body.start(2)
            _math(found, start, start + body.end(2), body[2], at, display=True)
        found.masked = "\0" * len(block.text)
        return found
    if block.kind == "caption" and (label := CAPTION.fullmatch(block.text)):
        span = (block.start + label.start("number"), block.start + label.end("number"))
        found.numerals.append(
            Numeral(*span, read(label["number"]), "prose", span, "caption number")
        )
        found.masked = "\0" * len(block.text)
        return found
    masked = _atoms(found, block, listed, code)
    masked = _links(found, block, masked, listed)
    masked = _attribute_lists(found, block, masked)
    found.masked = masked
    found.problems += dialect.leftovers(masked, block.start)
    _numbers(found, block, masked, listed)
    for start, end in prose.lists(_own(found), masked, block.start):
        text = block.text[start - block.start : end - block.start]
        found.pieces.append(Piece("list", start, end, text=text))
    found.numerals.sort(key=lambda n: n.start)
    prose.share_units(found.numerals, block.text, block.start)
    for piece in found.pieces:
        if not piece.numerals and piece.kind in ("link", "image", "list"):
            piece.numerals = [
                n for n in found.numerals if piece.start <= n.start and n.end <= piece.end
            ]
    return found


def _own(found: Inline) -> list[Numeral]:
    """The numbers of the text itself, which the mask leaves visible."""
    return [n for n in found.numerals if n.place in ("prose", "alt", "word")]


def _atoms(found: Inline, block: Block, listed: tuple[str, ...], code: str) -> str:
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
            found.problems += dialect.beside(block.text, m.start(), m.end(), block.start)
            _code(found, start, end, m["inside"], block.start + m.start("inside"), code)
        elif m["tag"]:
            _tag(found, start, end, m["tag"], listed)
        elif m["url"]:
            for digits in re.finditer(r"\d+", m["url"]):
                span = (start + digits.start(), start + digits.end())
                found.numerals.append(Numeral(*span, read(digits[0]), "url", span, "address"))
        elif m["note"] and m["note"].startswith("[^"):
            found.notes.append((start, m["note"][2:-1]))
    return "".join([*out, block.text[at:]])


def _math(
    found: Inline, start: int, end: int, source: str, at: int, *, display: bool = False
) -> None:
    if "`" in source:
        found.problems.append(Finding(at, "formula", "a backtick in a formula: close it before"))
        return
    try:
        formula = _parse(source, display, found.names)
    except FormulaError as error:
        found.problems.append(Finding(at, "formula", str(error)))
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


def _code(found: Inline, start: int, end: int, inside: str, at: int, code: str) -> None:
    numerals, values = codemarks.numerals(inside, at, code)
    found.pieces.append(Piece("code", start, end, values, text=inside.strip()))
    found.numerals += numerals


def _tag(found: Inline, start: int, end: int, tag: str, listed: tuple[str, ...]) -> None:
    found.tags.append((start, tag))
    found.problems += [Finding(start, "dialect", told) for told in html.problems(tag)]
    numerals = attributes.numerals(tag, start, listed)
    if numerals:
        free = [n for n in numerals if not n.rule]
        found.pieces.append(Piece("tag", start, end, free or numerals, text=tag))
        found.numerals += numerals


def _links(found: Inline, block: Block, masked: str, listed: tuple[str, ...]) -> str:
    for m in list(LINK.finditer(masked)):
        start, end = block.start + m.start(), block.start + m.end()
        target = block.text[m.start("target") + 1 : m.end("target") - 1].split()
        text = block.text[m.start("text") : m.end("text")]
        kind = "image" if m["bang"] else "link"
        found.pieces.append(Piece(kind, start, end, text=text, target=(target or [""])[0]))
        if m["title"]:
            title = block.text[m.start("title") : m.end("title")]
            at = block.start + m.start("title")
            found.numerals += prose.numerals(title, at, listed, "attribute")
        masked = masked[: m.start("target")] + "\0" * len(m["target"]) + masked[m.end("target") :]
    return masked


def _attribute_lists(found: Inline, block: Block, masked: str) -> str:
    """[text](target){ .button } and `## Heading {#place}`: nothing of them shows."""
    for m in ATTRIBUTES.finditer(masked):
        before = block.text[: m.start()]
        titled = block.kind == "heading" and before.strip("# ")
        if not (titled if m["heading"] else ATTACHED.search(before[-2:])):
            continue
        if SHOWN.search(m[0]):
            told = "text in an attribute list: write it where it can be checked"
            found.problems.append(Finding(block.start + m.start(), "dialect", told))
        masked = masked[: m.start()] + "\0" * len(m[0]) + masked[m.end() :]
    return masked


def _numbers(found: Inline, block: Block, masked: str, listed: tuple[str, ...]) -> None:
    for offset, text in block.markers:
        at = (offset, offset + len(text))
        found.numerals.append(Numeral(*at, read(text), "prose", at, "list number"))
    numerals = prose.numerals(masked, block.start, listed, "prose")
    label = rules.HEADING_NUMBER.match(masked.replace("#", " "))
    for numeral in numerals:
        if label and block.kind == "heading" and numeral.start == block.start + label.start(1):
            numeral.rule = "heading number"
        if any(p.kind == "image" and p.start < numeral.start < p.end for p in found.pieces):
            numeral.place = "alt"
    found.numerals += numerals
