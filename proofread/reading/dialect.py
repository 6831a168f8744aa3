"""Text outside the dialect of these pages: refused where it stands rather than misread.

Everything that can hold a number has been masked by NULs. What is left of the marks for it opens
or closes nothing, and Markdown's idea of it may differ from ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofread.marks import Finding
from proofread.reading import html

ONE = "two numbers that show as one: write a space, × or a formula"
UNSEEN = r"(?:<!--(?:(?!-->).)*-->|<[^<>]*>|\{[^{}]*\})"
DIGIT_BEFORE = re.compile(rf"\d(?:{UNSEEN}|\]\([^()]*\)|[\])`*_])*\Z", re.S)
DIGIT_AFTER = re.compile(rf"(?:{UNSEEN}|[\[`*_])*\d", re.S)
LEFT = {
    r"\]\(": 'a link that cannot be read: write [text](target "title")',
    r"\$": "a $ that belongs to no formula: write \\$",
    r"`": "a backtick that belongs to no code mark: write \\`",
    r"<!--": "a comment that is never closed",
    r"-->": "the end of a comment that was never opened",
    r"\\[(\[]|\\begin\{": "a formula that is never closed, or does not stand alone",
    r"\d\]?(?:\0|\*|__)+\d": ONE,
}
PATTERNS = [(re.compile(pattern), told) for pattern, told in LEFT.items()]


def leftovers(masked: str, offset: int) -> Iterator[Finding]:
    """What a block holds besides text, once all that can be read is masked."""
    for pattern, told in PATTERNS:
        if found := pattern.search(masked):
            yield Finding(offset + found.start(), "dialect", told)
    for at, told in html.leftovers(masked):
        yield Finding(offset + at, "dialect", told)


def beside(text: str, start: int, end: int, offset: int) -> Iterator[Finding]:
    """A code mark that begins with a digit right after one, or ends with one right before one.

    And one in which Markdown would find an element.
    """
    if re.search(r"\n\s*<", text[start:end]):
        yield Finding(offset + start, "dialect", "a code mark with a tag at the start of a line")
    inside = text[start:end].strip("` ")
    before = inside[:1].isdigit() and DIGIT_BEFORE.search(text, 0, start)
    if before or (inside[-1:].isdigit() and DIGIT_AFTER.match(text, end)):
        yield Finding(offset + start, "dialect", ONE)
