"""A book of six pages, each of which depends on something else; and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from proofread.proof import Proof, prove_all
from proofread.running.store import Store
from proofread.settings import Settings, load
from tests.proofread.conftest import fence

Prove = Callable[[], dict[str, Proof]]

MODULE = fence("import helper\nprint(helper.x)")
INLINE = fence("y = 1") + "\nIt is 1<!-- = y -->.\n\n" + fence("print(y + 1)")
DATA = fence("print(open('data.txt').read())")
FIRST = fence('--8<-- "shared.py:one"') + fence('--8<-- "shared.py:two"')
SECOND = "Again.\n\n" + FIRST
PROSE = "No code here.\n"


@pytest.fixture
def book(book: Path) -> Path:
    """A book of six pages, each of which depends on something else."""
    pages = (MODULE, INLINE, DATA, FIRST, SECOND, PROSE)
    for n, text in enumerate(pages, 1):
        (book / f"0{n}-page.md").write_text(text)
    (book / "helper.py").write_text("import deeper\nx = deeper.x\n")
    (book / "deeper.py").write_text("x = 3\n")
    (book / "data.txt").write_text("data")
    section = "# --8<-- [start:{0}]\nprint('{0}')\n# --8<-- [end:{0}]\n"
    (book / "snippets/shared.py").write_text(section.format("one") + section.format("two"))
    (book / "snippets/shared.out").write_text("one\ntwo\n")
    return book


@pytest.fixture
def prove(book: Path) -> Prove:
    """Proves the whole book; the proofs by the first two letters of their pages."""

    def run(settings: Settings | None = None, kept: Store | None = None) -> dict[str, Proof]:
        settings = settings or load(book)
        proofs = prove_all(settings.files(), settings, kept)
        return {proof.page.path[:2]: proof for proof in proofs}

    return run


def ran(proofs: dict[str, Proof]) -> list[str]:
    return [name for name, proof in proofs.items() if proof.ran]


def output(proof: Proof) -> str:
    return "".join(proof.outcome.outputs)


def entries(book: Path) -> list[Path]:
    return sorted((book / ".cache/proofread").glob("??/*.json"))
