"""What was measured: as a table for the terminal, and as docs/reference/bench.toml."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from tests.bench.measure import COLUMNS, Result
from tests.bench.scale import Size

Versions = dict[str, dict[str, str]]  # tool -> distribution -> version


def table(results: dict[str, Result], sizes: Iterable[Size]) -> str:
    """Seconds by tool and column; after a stroke, how many pages were stale."""
    rows = [["", *COLUMNS]]
    for name, result in results.items():
        cells = []
        for column in COLUMNS:
            stale = len(result.stale.get(column, ()))
            seconds = result.medians.get(column)
            mark = f" / {stale} stale" if stale else ""
            cells.append("failed" if seconds is None else f"{seconds:.2f}{mark}")
        rows.append([name, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    lines += [f"{name} failed: {r.failure}" for name, r in results.items() if r.failure]
    lines += [
        f"{s.pages} pages, {s.state} build: {s.seconds:.1f} s, "
        f"builder {s.builder:.0f} MB, child {s.child:.0f} MB"
        for s in sizes
    ]
    return "\n".join(lines)


def toml(
    results: dict[str, Result], sizes: Iterable[Size], versions: Versions, runs: int, pages: int
) -> str:
    lines = [
        "# Made by `make bench RECORD=1`: medians in seconds, of the whole command on the clock.",
        f"date = {date.today().isoformat()}",
        f"runs = {runs}",
        f"pages = {pages}",
        "",
        "[machine]",
        f"cpu = {json.dumps(cpu())}",
        f"cores = {os.cpu_count()}",
        f"python = {json.dumps(platform.python_version())}",
    ]
    for name, result in results.items():
        lines += ["", "[[tool]]", f"name = {json.dumps(name)}"]
        lines += [f"versions = {_inline(versions.get(name, {}))}"]
        if result.failure:
            lines += [f"failure = {json.dumps(result.failure.splitlines()[-1])}"]
        lines += [f"seconds = {_inline({k: round(v, 3) for k, v in result.medians.items()})}"]
        lines += [f"stale = {_inline({k: len(v) for k, v in result.stale.items()})}"]
    for size in sizes:
        lines += ["", "[[size]]", f"pages = {size.pages}", f"state = {json.dumps(size.state)}"]
        lines += [f"seconds = {size.seconds:.2f}"]
        lines += [f"builder = {size.builder:.0f}  # MB", f"child = {size.child:.0f}  # MB"]
    return "\n".join(lines) + "\n"


def cpu() -> str:
    """The model of the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.is_file() else ""
    found = re.search(r"model name\s*: (.+)", text)
    return found[1] if found else platform.processor() or platform.machine()


def _inline(table: dict[str, str] | dict[str, float] | dict[str, int]) -> str:
    pairs = (f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items())
    return f"{{ {', '.join(pairs)} }}"
