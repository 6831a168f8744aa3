"""Runs pages side by side, each in a process of its own, through a foreman.

The foreman starts with the first page that has to run, and stays until this process ends: what is
slow to import, it has imported by then.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from proofread.marks import Finding
from proofread.page import Page
from proofread.running import environment
from proofread.running.needs import hinted, needs
from proofread.running.store import Entry, entry_from_json, entry_to_json
from proofread.settings import Settings

Heard = Callable[[str, int], None]  # path of a page, and the number of its block that begins
Ended = Callable[[str, "Run"], None]  # path of a page, and what came of it

TOOL = str(Path(__file__).parents[1])
FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')


@dataclass
class Run:
    """What came of running a page: an entry for each block that ended, and why no more did."""

    entries: list[Entry] = field(default_factory=list)
    failure: Finding | None = None
    keep: bool = True  # False if a file changed while it ran


class Crew:
    def __init__(self, hands: int | None = None) -> None:
        self.hands = hands or _cores()
        self._foreman: subprocess.Popen[bytes] | None = None
        self._preloaded: set[str] = set()
        self._environment: dict[str, str] = {}

    def run(
        self,
        pages: Sequence[Page],
        settings: Settings,
        recordings: Mapping[str, Mapping[int, Entry]],
        ended: Ended,
        heard: Heard = lambda path, block: None,
    ) -> None:
        """Run pages from the top. An exception here, or a signal, ends all of them."""
        runs = {page.path: Run() for page in pages}
        at = {page.path: page for page in pages}
        try:
            foreman = self.start()
            jobs = [_job(page, settings, recordings.get(page.path, {})) for page in pages]
            lines = [*jobs, self._preload(jobs)]
            assert foreman.stdin
            assert foreman.stdout
            # A thread: the foreman may have more to say than its pipe holds before it listens.
            writer = threading.Thread(target=_tell, args=(foreman.stdin, lines), daemon=True)
            writer.start()
            current = dict.fromkeys(at, 0)
            left = set(at)
            while left:
                line = foreman.stdout.readline()
                if not line:
                    raise RuntimeError("the process that runs the pages has ended")
                said = json.loads(line)
                path, run = said["job"], runs[said["job"]]
                if "block" in said:
                    current[path] = said["block"]
                    heard(path, said["block"])
                elif "entry" in said:
                    run.entries.append(entry_from_json(said["entry"]))
                    run.keep &= said["keep"]
                elif "failure" in said:
                    fault = said["failure"]
                    run.failure = Finding(fault["offset"], "failed", fault["message"])
                else:
                    left.remove(path)
                    if said["end"] and not run.failure:
                        run.failure = _death(at[path], current[path], said)
                    ended(path, run)
            writer.join()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._foreman and self._foreman.stdin:
            with contextlib.suppress(OSError):
                self._foreman.stdin.close()
            self._foreman.wait()
        self._foreman = None
        self._preloaded.clear()
        atexit.unregister(self.close)

    def expect(self, sources: Sequence[str], settings: Settings) -> None:
        """Get ready for pages that will have to run, from a glance at their Markdown."""
        if not sources:
            return
        slow = _slow(settings)
        wanted = [slow & hinted(text, settings.root, settings.snippets) for text in sources]
        foreman = self.start()
        if all(wanted) and foreman.stdin:  # else those that need nothing go first
            _tell(foreman.stdin, [self._preload([{"needs": need} for need in wanted])])

    def start(self) -> subprocess.Popen[bytes]:
        ended = self._foreman is None or self._foreman.poll() is not None
        if ended or self._environment != dict(os.environ):
            self.close()
            self._environment = dict(os.environ)
            self._foreman = subprocess.Popen(
                [sys.executable, "-m", "proofread.running.foreman", str(self.hands)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment.variables(),
                start_new_session=True,  # Ctrl-C is for us; the foreman ends when we do
            )
            atexit.register(self.close)
        assert self._foreman
        return self._foreman

    def _preload(self, jobs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What pages will import and is slow to: once is enough."""
        wanted = {module for job in jobs for module in job["needs"]} - self._preloaded
        self._preloaded |= wanted
        return {"preload": sorted(wanted)}


def _cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _job(page: Page, settings: Settings, recordings: Mapping[int, Entry]) -> dict[str, Any]:
    return {
        "job": page.path,
        "root": str(settings.root.resolve()),
        "path": page.path,
        "source": page.source,
        "needs": sorted(_slow(settings) & needs([c.text for c in page.blocks_run], settings.root)),
        "recordings": {str(n): entry_to_json(entry) for n, entry in recordings.items()},
        "timeout": settings.timeout,
        "memory": settings.memory * 2**30,
        "output": settings.output * 2**20,
    }


def _slow(settings: Settings) -> set[str]:
    """The modules to import once: elsewhere a process that has imported them may not fork."""
    return set(settings.preload) if sys.platform == "linux" else set()


def _tell(file: IO[bytes], lines: Sequence[Mapping[str, Any]]) -> None:
    with contextlib.suppress(OSError):  # the foreman is gone: the reader finds out, too
        for line in lines:
            file.write(json.dumps(line).encode() + b"\n")
        file.flush()


def _death(page: Page, number: int, said: Mapping[str, Any]) -> Finding:
    """A page's process is gone: at which block, and where in it, if Python could still tell."""
    blocks, told = page.blocks_run, str(said["end"])
    if not number:
        return Finding(0, "failed", f"a claim before the first block {told}")
    code = blocks[number - 1]
    rows = [row for row in said["trace"].splitlines() if TOOL not in row and "<frozen" not in row]
    frames = [(m["file"], int(m["line"])) for row in rows if (m := FRAME.search(row))]
    line = next((line for file, line in frames if file == code.path), code.first)
    shown = "\n".join("    " + row for row in rows if row.strip())
    return Finding(
        code.start, "failed", f"{code.path}:{line}: its program {told}\n{shown}".rstrip()
    )
