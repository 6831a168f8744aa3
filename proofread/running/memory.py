"""A machine that runs nothing: it remembers what code said, from the entries of a store."""

from __future__ import annotations

from collections.abc import Sequence

from proofread.marks import Finding
from proofread.page import Page
from proofread.reading.fences import Code
from proofread.running.outcome import Failed, Outcome, Ran, walk
from proofread.running.said import Ask, Said
from proofread.running.store import Entry, Store, first, link
from proofread.values import Value


class Missed(Exception):
    """Something that was asked is not known; the page has to run."""


def recall(page: Page, store: Store) -> tuple[Outcome | None, list[Entry]]:
    """What became of a page, if all of it is known, and the entries that count for it."""
    entries = list(known(page, store))
    try:
        return walk(page, Memory(entries)), entries
    except Missed:
        return None, entries


def known(page: Page, store: Store) -> Sequence[Entry]:
    """The entries of a page from its beginning up to the first that is not there."""
    found = []
    for chain in chains(page):
        entry = store.get(chain)
        if entry is None:
            break
        found.append(entry)
    return found


def chains(page: Page) -> list[str]:
    """The keys of what is known before the first block, after it, after the second, …"""
    keys = [first(page.path)]
    for code in page.blocks_run:
        keys.append(link(keys[-1], code))
    return keys


class Memory:
    """Answers from entries: the first holds what was said before any block."""

    def __init__(self, entries: Sequence[Entry], failure: Finding | None = None) -> None:
        self.entries, self.failure = entries, failure
        self.at = 0

    def execute(self, code: Code) -> Ran:
        self.at += 1
        if self.at < len(self.entries):
            return self.entries[self.at].ran
        if self.failure:
            raise Failed(self.failure)
        raise Missed

    def evaluate(self, ask: Ask) -> Said:
        if self.at < len(self.entries) and ask in self.entries[self.at].said:
            return self.entries[self.at].said[ask]
        if self.failure:
            raise Failed(self.failure)
        raise Missed

    def candidates(self) -> Sequence[Value]:
        if self.at >= len(self.entries) or self.entries[self.at].candidates is None:
            raise Missed
        return self.entries[self.at].candidates or ()
