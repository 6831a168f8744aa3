"""What begins a block of Markdown, by the look of its first line."""

from __future__ import annotations

import re
from typing import NamedTuple

OPEN = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$")
QUOTE = re.compile(r"^\s*(?:>\s?)*")
FORMULA_OR_CODE = re.compile(r"\$[^$]*\$|`[^`]*`")
HEADING = re.compile(r"#{1,6} +")
UNDERLINE = re.compile(r"=+|-+")
TITLE = re.compile(
    r"(?:(?:!!!|\?\?\?\+?)\s+(?P<kind>[\w-]+)[\w -]*?|===[!+]?)"
    r'(?:\s*"(?P<title>.*)")?\s*$'
)
MARKER = re.compile(r"(?:[-*+]|(?P<number>\d{1,2})\.)[ \t]+(?=\S)(?:\[[ xX]\][ \t]+)?")
OPTION = re.compile(r"\([ xX]\)[ \t]+(?=\S)")  # of a quiz
NOTE = re.compile(r"\[\^[^\]]+\]:\s*")
MEANING = re.compile(r":(?:[ \t]+|$)")  # of the term on the line before
LINK_TARGET = re.compile(r"\[[^\]^]+\]:\s*\S")
ATTRIBUTES = re.compile(r"\{:?[^{}]*\}\s*$")
SHOWN = re.compile(r"\b(?:alt|title|aria-label|placeholder)\s*=")
DELIMITER = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
RULE = re.compile(r"(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
COMMENT = re.compile(r"<!--.*?-->\s*$", re.S)
COMMENTED = re.compile(r"(?:<!--.*?-->\s*)+(?:[#>|=~`:!?*+-]|\d+\.)")
TAGS = re.compile(r"(?:(?P<tag></?[A-Za-z][^<>]*>)\s*|<!--.*?-->\s*)+")
ENV = re.compile(r"\\begin\{(align|gather|equation|multline)\*?\}")
LEAD = re.compile(r"(?P<before>\s*)(?P<quote>(?:>[ ]?)*)(?P<after>\s*)")
EMPTY = " >\r\n"  # what an empty line may hold


class Line(NamedTuple):
    """A line of a page: as it is, without its quote marks, and without what surrounds its text."""

    raw: str
    body: str  # as long as `raw`
    text: str
    indent: int  # where the text begins in it
    column: int  # the same, if quote marks had no width
    quoted: bool


def line(raw: str) -> Line:
    body = QUOTE.sub(lambda m: blank(m[0]), raw, count=1)
    indent = len(body) - len(body.lstrip())
    lead = LEAD.match(raw)
    assert lead
    column = len(lead["before"]) + len(lead["after"])
    return Line(raw, body, body.strip(), indent, column, ">" in raw[:indent])


def blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
