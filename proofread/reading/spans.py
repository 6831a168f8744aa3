"""What a block of a page holds: numbers, and the spans that a claim can touch as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from proofread.marks import Finding
from proofread.maths.arithmetic import Names
from proofread.maths.formulas import Formula
from proofread.reading.literals import Literal

if TYPE_CHECKING:
    from proofread.reading.claims import Claim


@dataclass
class Numeral:
    """A number that a reader sees, with its place in the page."""

    start: int
    end: int  # with sign and unit
    literal: Literal
    place: str  # prose, word, formula, code, alt, attribute, fence
    digits: tuple[int, int] = (0, 0)  # the literal's own text: what `fix` rewrites
    rule: str = ""  # why it is structural
    claim: Claim | None = None  # that proves it


@dataclass
class Piece:
    """A span that a claim can touch as a whole."""

    kind: str  # math, code, link, image, list, tag
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
    tags: list[tuple[int, str]] = field(default_factory=list)  # offset, text
    masked: str = ""
    problems: list[Finding] = field(default_factory=list)
    names: Names = ()
