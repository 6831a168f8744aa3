"""Proves the pages of a build, while MkDocs gets ready and renders those that are done."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

from book.rendering import ROOT
from proofread import verdicts
from proofread.proof import CREW, Proof, open_store, prove_all
from proofread.running.progress import Progress
from proofread.settings import SettingsError, load

CODE = re.compile(r"exec=|^# %%", re.M)  # what shows that a page, or a notebook, will run


class Proving:
    """The proofs of pages, each as soon as it is there."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.settings, self.trouble = load(ROOT), ""
        self.proofs = {self.settings.name(path): Future[Proof]() for path in paths}
        self._all = Thread(target=self._prove, args=[paths], daemon=True)
        self._all.start()

    def of(self, path: str) -> Proof:
        """Wait for a page."""
        return self.proofs[path].result()

    def all(self) -> list[Proof]:
        """Wait for all of them; they come in the order of their paths."""
        proofs = [future.result() for _, future in sorted(self.proofs.items())]
        self._all.join()
        return proofs

    @property
    def faults(self) -> str:
        return "\n".join(proof.report_all for proof in self.all() if proof.findings)

    @property
    def summary(self) -> str:
        """How much ran, and how much was remembered."""
        proofs = self.all()
        ran = sum(proof.ran for proof in proofs)
        blocks = sum(len(proof.page.blocks_run) for proof in proofs)
        return f"{blocks} blocks on {len(proofs)} pages: {ran} ran, {blocks - ran} remembered"

    def _prove(self, paths: Sequence[Path]) -> None:
        try:
            store = open_store(self.settings)
            book = verdicts.judged_by(self.settings)
            standing = verdicts.standing(paths, self.settings, store, book)
            changed = [path.read_text(errors="replace") for path in paths if path not in standing]
            CREW.expect([text for text in changed if CODE.search(text)], self.settings)
            proofs = prove_all(
                paths,
                self.settings,
                store,
                Progress(sys.stderr),
                each=lambda proof: self.proofs[proof.page.path].set_result(proof),
            )
            verdicts.keep(proofs, store, book)
            self.trouble = store.trouble
        except BaseException as error:  # for whoever waits
            for future in self.proofs.values():
                if not future.done():
                    future.set_exception(error)


_begun: Proving | None = None


def begin() -> None:
    """Start with the pages that the settings name."""
    global _begun
    with contextlib.suppress(SettingsError):  # it will be told when the pages are needed
        _begun = Proving(load(ROOT).files())


def prove(shown: Sequence[Path]) -> Proving:
    """Prove the pages that a site shows, and all others that the settings name."""
    global _begun
    early, _begun = _begun, None
    paths = sorted({*shown, *load(ROOT).files()})
    if early and set(early.proofs) == {early.settings.name(path) for path in paths}:
        return early
    return Proving(paths)
