"""Runs one build, as its user would from a shell."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

LIMIT = 900  # seconds that one build may take


def build(python: Path, command: tuple[str, ...], folder: Path) -> tuple[float, str]:
    """Seconds on the clock, and what went wrong."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [str(python), "-m", *command],
            cwd=folder,
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return LIMIT, f"took more than {LIMIT} s"
    seconds = time.perf_counter() - start
    return seconds, done.stdout.strip()[-2000:] or "failed" if done.returncode else ""


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "PYTHONPATH": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
        "NO_MKDOCS_2_WARNING": "1",
    }
