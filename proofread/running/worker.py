"""Runs one page in a process that is its own, and tells what becomes of each block.

It says `{"block": n, "limit": s}` when block n begins (0 is what comes before the first),
`{"entry": …}` when it and the claims after it are done, and `{"failure": …}` if it raises.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proofread import page as pages
from proofread.reading.fences import Code
from proofread.running import environment
from proofread.running.outcome import Ran, walk
from proofread.running.program import Program
from proofread.running.said import Ask, Said
from proofread.running.store import Entry, entry_from_json, entry_to_json
from proofread.running.tracking import Tracker
from proofread.settings import load
from proofread.values import Value

Send = Callable[[Mapping[str, Any]], None]


def work(job: Mapping[str, Any], send: Send) -> None:
    """Run a page: `job` holds its root, path and source, and entries on record for some blocks."""
    root = Path(job["root"])
    os.chdir(root)
    sys.path.insert(0, str(root))
    settings = load(root)
    page = pages.parse(job["source"], job["path"], settings)
    recordings = {int(n): entry_from_json(data) for n, data in job["recordings"].items()}
    machine = Diary(Program(settings), Tracker(root), recordings, send)
    outcome = walk(page, machine)
    if outcome.failure:
        told = {"offset": outcome.failure.offset, "message": outcome.failure.message}
        send({"failure": told})
    else:
        machine.close(machine.candidates())


class Diary:
    """A program, of which each block and all that is said after it is written down."""

    def __init__(
        self, program: Program, tracker: Tracker, recordings: Mapping[int, Entry], send: Send
    ) -> None:
        self.program, self.tracker, self.recordings, self.send = program, tracker, recordings, send
        self.here = environment.current()
        self.number = 0
        self.ran = Ran()
        self.said: dict[Ask, Said] = {}
        send({"block": 0, "limit": None})

    def execute(self, code: Code) -> Ran:
        self.close()
        self.number += 1
        self.send({"block": self.number, "limit": code.timeout})
        if self.number in self.recordings and not self.here.gpus:
            self.ran = self._remember(code, self.recordings[self.number])
        else:
            self.ran = self.program.execute(code)
        if self.ran.recorded and code.included:
            self.tracker.used.add(str(Path(code.path).with_suffix(".out")))
        return self.ran

    def evaluate(self, ask: Ask) -> Said:
        if ask not in self.said:
            self.said[ask] = self._evaluate(ask)
        return self.said[ask]

    def candidates(self) -> Sequence[Value]:
        return self.program.candidates()

    def close(self, candidates: Sequence[Value] | None = None) -> None:
        """Send what is known of the block that ends here."""
        entry = Entry(
            self.ran,
            self.said,
            None if candidates is None else list(candidates),
            self.tracker.take(),
            environment.packages(self.tracker.modules),
            self.here.gpus,
            self.here.python,
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self.send({"entry": entry_to_json(entry), "keep": not self.tracker.changing})
        self.said = {}

    def _evaluate(self, ask: Ask) -> Said:
        said = self.program.evaluate(ask)
        past = self.recordings.get(self.number)
        if said.missing and past and said.missing in self.ran.absent:
            return past.said.get(ask, said)
        return said

    def _remember(self, code: Code, entry: Entry) -> Ran:
        """A block that needs a GPU, as it ran on one."""
        self.program.count += 1
        names = tuple(name for name in entry.ran.made if name not in self.program.namespace)
        where = f"{entry.ran.device or ', '.join(entry.gpus)}, {entry.date[:10]}"
        return Ran(
            entry.ran.output, "", where, entry.ran.figures, absent=names, recorded=entry.date
        )
