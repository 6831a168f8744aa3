"""A page, what its program said, and what is wrong: from a file to a verdict."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from proofread import page as pages
from proofread.judge import judge
from proofread.marks import Finding
from proofread.page import Page
from proofread.program import Outcome, run
from proofread.runner import run_apart
from proofread.settings import Settings


@dataclass(frozen=True)
class Proof:
    page: Page
    outcome: Outcome
    findings: list[Finding]

    def report(self, finding: Finding) -> str:
        """One mark as people read it: where, what, and how to put it right."""
        page = self.page
        where = f"{page.path}:{page.line(finding.offset)}:{page.column(finding.offset)}"
        text = f"{where}: {finding.message}"
        if finding.edit:
            old = page.source[finding.edit.start : finding.edit.end]
            text += f"\n    proofread fix {page.path}  # {old} -> {finding.edit.text}"
        if hints := self.outcome.hints.get(finding.offset):
            text += "\n    perhaps " + " or ".join(f"<!-- = {hint} -->" for hint in hints)
        return text

    @property
    def report_all(self) -> str:
        return "\n".join(map(self.report, self.findings))


def prove(path: Path, settings: Settings) -> Proof:
    """Parse a page, run its program in a process of its own, and judge every number in it."""
    source = path.read_text(encoding="utf-8")
    return prove_page(pages.parse(source, settings.name(path), settings), settings)


def prove_text(source: str, name: str, settings: Settings = Settings()) -> Proof:
    """The same for a text, run in this process."""
    page = pages.parse(source, name, settings)
    outcome = run(page, settings)
    return Proof(page, outcome, judge(page, outcome, settings))


def prove_page(page: Page, settings: Settings) -> Proof:
    outcome = run_apart(page, settings)
    return Proof(page, outcome, judge(page, outcome, settings))


def prove_all(paths: Sequence[Path], settings: Settings) -> list[Proof]:
    """Several pages, side by side, in the order given."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda path: prove(path, settings), paths))
