"""Larger and larger books: how long the builder takes for them, and how much memory."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.bench import ours
from tests.bench.build import environment
from tests.bench.source import FENCE, Book, write

PAGES = (50, 100, 200, 400)
SECTION = 20  # pages
STATES = ("first", "warm")  # with nothing in the cache, and with nothing changed
BEAT = 0.02  # seconds between two looks at the memory
BLOCK = """
```python exec="on" source="above" result="text"
import numpy as np

w = np.exp(np.arange({number} % 7 + 2.0))
w /= w.sum()
print(w.round(4))
```

The shares add up to 1<!-- = w.sum() -->.
"""


@dataclass(frozen=True)
class Size:
    pages: int
    state: str
    seconds: float
    builder: float  # MB, the most that the process which renders has held
    child: float  # MB, the most that any other process has held


class ScaleError(Exception):
    """The builder cannot make a larger book."""


def sizes(book: Book, work: Path) -> Iterator[Size]:
    """The books, each built twice."""
    for count in PAGES:
        folder = make(book, work, count)
        for state in STATES:
            start = time.perf_counter()
            builder, child = _watch(folder)
            yield Size(count, state, time.perf_counter() - start, builder, child)


def make(book: Book, work: Path, count: int) -> Path:
    """A book of so many pages, in sections; a page lists those of its own section."""
    folder = work / f"{count} pages"
    shutil.rmtree(folder, ignore_errors=True)
    ours.copy_builder(folder)
    files = ours.chapters(pages(book, count), SECTION)
    config = files["mkdocs.yml"]
    if "navigation.prune" not in config:
        feature = "- navigation.sections\n"
        files["mkdocs.yml"] = config.replace(feature, f"- navigation.prune\n    {feature}")
    write(files, folder)
    return folder


def pages(book: Book, count: int) -> dict[str, str]:
    """Pages of one size: the prose of the whole book that claims nothing, each in its own order."""
    chapters = []
    for text in book.pages.values():
        kept = [part for part in FENCE.sub("", text).split("\n\n") if "<!--" not in part]
        chapters.append("\n\n".join(kept).replace("\n## ", "\n### ").replace("# ", "## ", 1))
    made = {}
    for number in range(1, count + 1):
        first = number % len(chapters)
        body = [*chapters[first:], *chapters[:first], BLOCK.format(number=number)]
        made[f"{number:03}-page"] = (
            "\n\n".join([f"# The book, part {number}", *map(str.strip, body)]) + "\n"
        )
    return made


def _watch(folder: Path) -> tuple[float, float]:
    """Build, and look at the processes' memory on every beat."""
    command = [sys.executable, "-m", *ours.OURS.command]
    peaks: dict[int, int] = {}
    builders = set()
    with subprocess.Popen(command, cwd=folder, env=environment(folder)) as started:
        root = psutil.Process(started.pid)
        while started.poll() is None:
            with contextlib.suppress(psutil.Error):
                for process in [root, *root.children(recursive=True)]:
                    held = process.memory_info().rss
                    peaks[process.pid] = max(held, peaks.get(process.pid, 0))
                    if process == root or "mkdocs" in process.cmdline()[:4]:
                        builders.add(process.pid)
            time.sleep(BEAT)
    if started.returncode:
        raise ScaleError(f"{folder.name}: the build failed")
    pages = [held for pid, held in peaks.items() if pid not in builders]
    return max(peaks[pid] for pid in builders) / 1e6, max(pages, default=0) / 1e6
