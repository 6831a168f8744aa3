"""Characters that a page may not hold, since what they show is not what a program reads."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from proofread.marks import Finding

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED = "₀₁₂₃₄₅₆₇₈₉"
NUMBERS = set("0123456789½¼¾⅛" + RAISED + LOWERED)
TYPOGRAPHIC = set("✓✗\n\t")
ORDINARY = frozenset(map(chr, range(0x20, 0x7F))) | TYPOGRAPHIC


def check(source: str, fences: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    """One mark for each kind of strange character, at its first place."""
    said = set()
    for character in sorted(set(source) - ORDINARY, key=source.index):
        everywhere, told = _problem(character)
        at = source.index(character)
        while not everywhere and (fence := next((f for f in fences if f[0] <= at < f[1]), None)):
            at = source.find(character, fence[1])
        if character == "\r":
            at = source.replace("\r\n", "__").find("\r")
        if told and at >= 0 and told not in said:
            said.add(told)
            yield Finding(at, "dialect", f"U+{ord(character):04X} {told}")


def _problem(character: str) -> tuple[bool, str]:
    """Whether code may not hold it either, and what is wrong with it."""
    category, direction = unicodedata.category(character), unicodedata.bidirectional(character)
    if character == "\r":
        return True, "is a line end of its own: write line feeds"
    if category in ("Cc", "Zl", "Zp"):
        return True, "is a control character: take it out"
    if direction in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"):
        return True, "turns the text around it: take it out"
    if category == "Cf":
        return True, "cannot be seen: take it out"
    if category in ("Co", "Cn", "Cs"):
        return True, "is no character of Unicode: take it out"
    if category in ("Mn", "Me", "Mc"):
        return False, "is combined with the character before it: write one character"
    if direction in ("R", "AL", "AN"):
        return False, "runs from right to left, which these pages cannot"
    if character not in NUMBERS and unicodedata.numeric(character, None) is not None:
        return False, "is a number in another script: write digits"
    if 0x1F000 <= ord(character) <= 0x1FBFF or (
        0x2600 <= ord(character) <= 0x27BF and character not in TYPOGRAPHIC
    ):
        return False, "is a picture: say it in words"
    return False, ""
