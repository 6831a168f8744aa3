"""A store may be spoilt, full, forbidden, crowded or too big: pages are right all the same."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from proofread.proof import open_store, prove_all
from proofread.running import store
from proofread.running.store import Store
from proofread.settings import load
from tests.proofread.shelf import INLINE, Prove, book, entries, output, prove, ran

__all__ = ["book", "prove"]  # fixtures

SPOILT = {
    "cut short": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "one bit": lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
    "something else": lambda data: b"\x00\xff" * 50,
    "JSON that says nothing": lambda data: store._hash(b"{}").encode() + b"\n{}",
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_entry_is_made_again(book: Path, prove: Prove, how: str) -> None:
    good = prove()
    for path in entries(book):
        path.write_bytes(SPOILT[how](path.read_bytes()))
    again = prove()
    assert len(ran(again)) == 5
    assert [output(p) for p in again.values()] == [output(p) for p in good.values()]
    assert ran(prove()) == []


def test_a_store_that_cannot_be_used_is_no_reason_to_stop(book: Path, prove: Prove) -> None:
    (book / ".cache").write_text("a file where the folder should be")
    kept = open_store(load(book))
    proofs = prove(None, kept)
    assert not any(proof.findings for proof in proofs.values())
    assert str(book / ".cache") in kept.trouble


def test_a_full_disk_is_no_reason_to_stop(
    book: Path, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    kept = open_store(load(book))
    proofs = prove(None, kept)
    assert not any(proof.findings for proof in proofs.values())
    assert "No space left on device" in kept.trouble


def test_a_store_stays_within_its_size(book: Path, prove: Prove) -> None:
    prove()
    one = max(path.stat().st_size for path in entries(book))
    old = time.time() - 1000
    for path in entries(book):
        os.utime(path, (old, old))
    (book / "02-page.md").write_text(INLINE.replace("y = 1", "y = 2 - 1"))
    kept = Store(book / ".cache/proofread", book, limit=12 * one)
    prove(None, kept)
    assert sum(path.stat().st_size for path in entries(book)) <= 12 * one
    assert ran(prove()) == [], "what is in use was not dropped"


def test_litter_of_a_killed_build_is_removed(book: Path, prove: Prove) -> None:
    prove()
    fresh, stale = entries(book)[0].parent / ".new-1", entries(book)[0].parent / ".new-2"
    for path in (fresh, stale):
        path.write_bytes(b"half an ent")
    os.utime(stale, (0, 0))
    prove()
    assert fresh.exists(), "it may be another build's"
    assert not stale.exists()


def test_two_runs_at_once_are_both_right(book: Path) -> None:
    settings = load(book)
    told: list[list[str]] = []
    code = (
        "from pathlib import Path\nfrom proofread.proof import prove_all\n"
        "from proofread.settings import load\n"
        f"s = load(Path({str(book)!r}))\n"
        "p = prove_all(s.files(), s)\n"
        "print([x.outcome.outputs for x in p], [x.report_all for x in p])"
    )

    def one() -> None:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        told.append(done.stdout.splitlines())

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told[0] == told[1] == told[2] != []
    assert not [p for p in prove_all(settings.files(), settings) if p.ran or p.findings]
