"""One line that says how far a run is: pages, blocks, what came from the store, time left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TextIO

from proofread.page import Page


class Progress:
    """Writes to a terminal, and rewrites its line; on anything else it is silent."""

    def __init__(self, file: TextIO | None) -> None:
        self.file = file if file and file.isatty() else None
        self.pages = self.blocks = self.remembered = 0
        self.done: dict[str, int] = {}
        self.shown = 0.0
        self.started = time.monotonic()

    def begin(self, read: Sequence[Page], missed: Sequence[Page]) -> None:
        self.pages = len(missed)
        self.blocks = sum(len(page.blocks_run) for page in missed)
        self.remembered = sum(len(page.blocks_run) for page in read) - self.blocks
        self.started = time.monotonic()
        self._show(0)

    def block(self, path: str, number: int) -> None:
        """A block begins; those before it are done."""
        self.done[path] = max(0, number - 1)
        self._show(sum(self.done.values()))

    def end(self) -> None:
        if self.file and self.blocks:
            self.file.write("\r\x1b[K")
            self.file.flush()

    def _show(self, done: int) -> None:
        if self.file and self.blocks:
            spent = time.monotonic() - self.started
            left = f", about {spent / done * (self.blocks - done):.0f} s left" if done else ""
            line = f"{self.pages} pages: {done} of {self.blocks} blocks have run"
            self.file.write(f"\r\x1b[K{line}, {self.remembered} remembered{left}")
            self.file.flush()
