"""A page, what its program said, and what is wrong: from a file to a verdict."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proofread import page as pages
from proofread.judge import judge
from proofread.marks import Finding
from proofread.page import Page
from proofread.reading import notebooks
from proofread.reading.notebooks import NotebookError
from proofread.running.crew import Crew, Run
from proofread.running.memory import Memory, Missed, chains, recall
from proofread.running.outcome import Outcome, walk
from proofread.running.program import run
from proofread.running.progress import Progress
from proofread.running.store import Entry, Store
from proofread.settings import Settings

CREW = Crew()  # of this process
Each = Callable[["Proof"], None]


@dataclass(frozen=True)
class Proof:
    page: Page
    outcome: Outcome
    findings: list[Finding]
    ran: int = 0  # how many of its blocks had to run
    entries: Sequence[Entry] = field(default_factory=list)  # what is known of each block

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


def prove(path: Path, settings: Settings, store: Store | None = None) -> Proof:
    """Parse a page, learn what its program says, and judge every number in it."""
    return prove_all([path], settings, store)[0]


def prove_all(
    paths: Sequence[Path],
    settings: Settings,
    store: Store | None = None,
    progress: Progress | None = None,
    *,
    fresh: bool = False,
    each: Each = lambda proof: None,
) -> list[Proof]:
    """Several pages, in the order given; what is not in the store runs, side by side.

    `each` gets every proof as soon as it is there. `fresh` runs all pages, and compares with what
    is remembered.
    """
    read = [_read(path, settings) for path in paths]
    return _prove(
        read, settings, store or open_store(settings), progress or Progress(None), fresh, each
    )


def prove_page(page: Page, settings: Settings) -> Proof:
    """The same for a page that has been read."""
    return _prove([page], settings, open_store(settings), Progress(None))[0]


def prove_text(source: str, name: str, settings: Settings = Settings()) -> Proof:
    """The same for a text, run in this process."""
    page = pages.parse(source, name, settings)
    outcome = run(page, settings)
    return Proof(page, outcome, judge(page, outcome, settings), len(page.blocks_run))


def open_store(settings: Settings) -> Store:
    """The project's store; PROOFREAD_STORE names another folder, or is `off`."""
    folder: Path | None = settings.root / os.environ.get("PROOFREAD_STORE", settings.store)
    if os.environ.get("PROOFREAD_STORE") == "off" or not settings.store:
        folder = None
    return Store(folder, settings.root, int(settings.limit * 2**20))


def _prove(
    read: Sequence[Page],
    settings: Settings,
    store: Store,
    progress: Progress,
    fresh: bool = False,
    each: Each = lambda proof: None,
) -> list[Proof]:
    recalled = {page.path: recall(page, store) for page in read}
    missed = {page.path: page for page in read if fresh or recalled[page.path][0] is None}
    progress.begin(read, list(missed.values()))
    proofs: dict[str, Proof] = {}

    def add(proof: Proof) -> None:
        proofs[proof.page.path] = proof
        each(proof)

    def ended(path: str, run: Run) -> None:
        add(_ran(missed[path], run, recalled[path][1], settings, store))

    recordings = {page.path: _recordings(page, store) for page in missed.values()}
    for page in read:
        outcome, entries = recalled[page.path]
        if outcome is not None and page.path not in missed:
            add(Proof(page, outcome, judge(page, outcome, settings), 0, entries))
    if missed:
        CREW.run(list(missed.values()), settings, recordings, ended, progress.block)
    progress.end()
    store.prune()
    return [proofs[page.path] for page in read]


def _read(path: Path, settings: Settings) -> Page:
    """A page that cannot be read is a page with a fault."""
    name = settings.name(path)
    try:
        return pages.parse(notebooks.read(path), name, settings)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        told = f"line {line} is not UTF-8 (byte 0x{error.object[error.start]:02x})"
    except NotebookError as error:
        above = error.line - 1
        return Page(name, "\n" * above, problems=[Finding(above, "failed", str(error))])
    except OSError as error:
        told = f"cannot be read: {error.strerror}"
    return Page(name, "", problems=[Finding(0, "failed", told)])


def _ran(page: Page, run: Run, before: Sequence[Entry], settings: Settings, store: Store) -> Proof:
    """Judge a page that has just run, and keep what it said."""
    try:
        outcome = walk(page, Memory(run.entries, run.failure))
    except Missed:  # its worker has read something else
        told = "a file that it shows changed while it ran: run it again"
        outcome, run.keep = Outcome(failure=Finding(0, "failed", told)), False
    findings = judge(page, outcome, settings)
    changed = _unstable(page, run.entries, before)
    for chain, entry in zip(chains(page), run.entries, strict=False):
        if changed:
            store.forget(chain)
        elif run.keep:  # what came before a failure is good
            store.put(chain, entry)
    found = sorted([*findings, *changed], key=lambda finding: finding.offset)
    return Proof(page, outcome, found, len(page.blocks_run), run.entries)


def _unstable(page: Page, now: Sequence[Entry], before: Sequence[Entry]) -> list[Finding]:
    """Blocks that say something else than in the run before, although nothing changed."""
    found = []
    for n, (new, old) in enumerate(zip(now, before, strict=False)):
        code = page.blocks_run[n - 1] if n else None
        at, place = (code.start, f"{code.path}:{code.first}: ") if code else (0, "")
        if new.ran.output != old.ran.output or new.ran.figures != old.ran.figures:
            told = "prints something else than in the run before: seed what is random"
            found.append(Finding(at, "unstable", place + told))
            continue
        for ask, said in new.said.items():
            if ask in old.said and not said.agrees(old.said[ask]):
                told = f"{ask.expression} is not what it was in the run before: seed what is random"
                found.append(Finding(at, "unstable", place + told))
                break
    return found


def _recordings(page: Page, store: Store) -> dict[int, Entry]:
    """Entries made on a GPU for the blocks that ask for one, by the number of the block."""
    found = {}
    for n, (code, chain) in enumerate(zip(page.blocks_run, chains(page)[1:], strict=True), 1):
        entry = store.recording(chain) if code.needs_gpu else None
        if entry:
            found[n] = entry
    return found
