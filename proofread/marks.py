"""A proofreader's mark: what is wrong, where, and the edit that puts it right."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a page, at an offset in its source.

    `rule` is the kind of fault: stale, tie, count, loose, error, claim, unlabelled, citation,
    reference, formula, dialect, fence, output, unstable, failed.
    """

    offset: int
    rule: str
    message: str
    edit: Edit | None = None
