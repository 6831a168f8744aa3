"""What ran on a GPU is shown without one: as recorded, and said to be so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from proofread import page as pages
from proofread.proof import Proof, prove
from proofread.running import environment
from proofread.running.memory import chains
from proofread.running.outcome import Ran
from proofread.running.said import Ask, say
from proofread.running.store import Entry, Store
from proofread.settings import load
from tests.proofread.conftest import fence

GPU = fence('--8<-- "far.py"', 'exec="on" on="gpu"') + "\nIt took 7.25<!-- = spent --> ms.\n"
CARD = "NVIDIA H200"


@pytest.fixture
def book(book: Path) -> Path:
    """A book with a block that needs a card, and what it printed on one."""
    (book / "snippets/far.py").write_text("spent = 7.25\nprint('on a card')\n")
    (book / "snippets/far.out").write_text("on a card\n")
    (book / "01-page.md").write_text(GPU)
    return book


def proved(book: Path) -> Proof:
    return prove(book / "01-page.md", load(book))


def run_on_a_card(book: Path, printed: str = "on a card\n") -> None:
    """Put into the store what a machine with a card would have put there."""
    page = pages.parse((book / "01-page.md").read_text(), "01-page.md", load(book))
    where = replace(environment.current(), gpus=(CARD,), python="CPython 3.12.1")
    said = {Ask("spent"): say(7.25, "spent")}
    ran = Ran(printed, made=("spent",))
    entry = Entry(ran, said, [], gpus=where.gpus, date="2026-01-02T03:04:05+00:00")
    Store(book / ".cache/proofread", book, where=where).put(chains(page)[1], entry)


def test_output_made_on_a_card_is_shown_with_the_card_and_the_day(book: Path) -> None:
    run_on_a_card(book)
    proof = proved(book)
    assert not proof.findings, proof.report_all
    assert proof.outcome.outputs == ["on a card\n"]
    assert proof.outcome.devices == [f"{CARD}, 2026-01-02"]
    assert proof.outcome.runs[0].recorded


def test_claims_on_a_recorded_value_are_judged_by_it(book: Path) -> None:
    run_on_a_card(book)
    (book / "01-page.md").write_text(GPU.replace("7.25", "7.26"))
    assert "page says 7.26, code says 7.25" in proved(book).report_all


def test_what_is_recorded_is_remembered(book: Path) -> None:
    run_on_a_card(book)
    assert proved(book).ran == 1
    assert proved(book).ran == 0


def test_a_record_of_other_code_does_not_count(book: Path) -> None:
    run_on_a_card(book)
    (book / "snippets/far.py").write_text("spent = 8.25\nprint('on a card')\n")
    assert proved(book).outcome.devices == ["recorded"], "as written down, of no known day"


def test_a_record_that_differs_from_what_is_written_down_is_told(book: Path) -> None:
    run_on_a_card(book, "something else\n")
    assert "prints 'something else', snippets/far.out:1 says 'on a card'" in proved(book).report_all


def test_without_a_record_the_output_that_is_written_down_is_shown(book: Path) -> None:
    proof = proved(book)
    assert proof.outcome.outputs == ["on a card\n"]
    assert proof.outcome.devices == ["recorded"]
    assert not proof.findings, "what code says is not known here"


def test_on_a_card_it_runs(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_gpus", lambda: [CARD])
    run_on_a_card(book, "an old run\n")
    from proofread.running.program import run

    page = pages.parse(GPU, "01-page.md", load(book))
    assert run(page, load(book)).outputs == ["on a card\n"]
