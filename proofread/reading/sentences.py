"""Where sentences begin and end, in text whose formulas, code and comments are masked by NULs."""

from __future__ import annotations

import re

STOP = re.compile(r"[.!?][\"')*_]*(?:\0|\s|$)")
ABBREVIATED = re.compile(r"(?:e\.g|i\.e|vs|cf|al|sec|fig|approx|resp|no)\.$", re.I)


def start(masked: str, at: int) -> int:
    """Where the sentence begins that holds, or has just ended at, this place."""
    found = 0
    for stop in STOP.finditer(masked, 0, max(at - 1, 0)):
        if _ends(masked, stop):
            found = stop.start() + 1
    return found


def around(masked: str, at: int) -> tuple[int, int]:
    """The sentence at this place, with the notes and comments that touch its full stop."""
    begin = start(masked, at)
    while begin and masked[begin] == "\0":
        begin += 1
    for stop in STOP.finditer(masked, at):
        if _ends(masked, stop):
            end = stop.end()
            while end < len(masked) and masked[end] == "\0":
                end += 1
            return begin, end
    return begin, len(masked)


def cell(masked: str, at: int) -> tuple[int, int]:
    """The cell of a table at this place, which is what a sentence is elsewhere."""
    begin = max(masked.rfind(mark, 0, at) for mark in "|\n") + 1
    ends = [end for mark in "|\n" if (end := masked.find(mark, at)) >= 0]
    return begin, min(ends, default=len(masked))


def _ends(masked: str, stop: re.Match[str]) -> bool:
    return not ABBREVIATED.search(masked[: stop.start() + 1])
