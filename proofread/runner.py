"""Runs a page's program in a process of its own: fresh modules, a time limit, nothing leaks.

The process is this module: it reads (root, path, source) from stdin and answers with an Outcome.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

from proofread import page as pages
from proofread.marks import Finding
from proofread.page import Page
from proofread.program import Outcome, run
from proofread.settings import Settings, load


def run_apart(page: Page, settings: Settings) -> Outcome:
    """What a page's program says; a page without code and claims is not run at all."""
    if not page.blocks_run and all(claim.kind == "cited" for claim in page.claims):
        return Outcome()
    root = settings.root.resolve()
    start = page.blocks_run[0].start if page.blocks_run else 0
    try:
        done = subprocess.run(
            [sys.executable, "-m", "proofread.runner"],
            input=pickle.dumps((root, page.path, page.source)),
            capture_output=True,
            cwd=root,
            timeout=settings.timeout,
        )
    except subprocess.TimeoutExpired:
        told = f"its program ran longer than {settings.timeout:g} s and was stopped"
        return Outcome(failure=Finding(start, "failed", told))
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip()[-2000:]
        told = f"its program ended its own process with status {done.returncode}\n{told}".rstrip()
        return Outcome(failure=Finding(start, "failed", told))
    outcome = pickle.loads(done.stdout)
    assert isinstance(outcome, Outcome)
    return outcome


def _main() -> None:
    answers = os.fdopen(os.dup(1), "wb")  # stdout itself belongs to the page
    root, path, source = pickle.load(sys.stdin.buffer)
    sys.path.insert(0, str(root))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    settings = load(Path(root))
    page = pages.parse(source, path, settings)
    answers.write(pickle.dumps(run(page, settings)))
    answers.flush()
    os._exit(0)  # threads that the page left behind do not keep it alive


if __name__ == "__main__":
    _main()
