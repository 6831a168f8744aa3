"""How a page's program runs: what is its output, what it may know, what it tells when it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proofread.proof import CREW, prove_all
from proofread.settings import load
from tests.proofread.conftest import fence, proved


def test_a_traceback_shows_the_blocks_own_frames_and_no_others(book: Path) -> None:
    report = proved(book, fence("def f():\n    raise ValueError('no')\nf()")).report_all
    frames = [line.strip() for line in report.splitlines() if line.strip().startswith("File")]
    assert frames == ['File "01-page.md", line 4, in <module>', 'File "01-page.md", line 3, in f']


def test_an_error_in_a_snippet_names_the_snippets_line(snippets: Path) -> None:
    (snippets / "snippets/bad.py").write_text("x = 1\n\nraise ValueError('no')\n")
    (snippets / "snippets/bad.out").write_text("")
    report = proved(snippets, "Text.\n\n" + fence('--8<-- "bad.py"')).report_all
    assert report.startswith("01-page.md:3:1: snippets/bad.py:3: ValueError: no\n")


def test_a_program_that_never_ends_is_stopped(book: Path) -> None:
    settings = (book / "pyproject.toml").read_text().replace("timeout = 20", "timeout = 1")
    (book / "pyproject.toml").write_text(settings)
    assert "ran longer than 1 s" in proved(book, fence("while True:\n    pass")).report_all


def test_everything_written_to_stdout_is_the_output(book: Path) -> None:
    code = (
        "import os, subprocess, sys\nprint('print')\nsys.stdout.write('write\\n')\n"
        "sys.stdout.flush()\nos.write(1, b'descriptor\\n')\nsubprocess.run(['echo', 'child'])"
    )
    proof = proved(book, fence(code))
    assert proof.outcome.outputs == ["print\nwrite\ndescriptor\nchild\n"]


def test_a_module_that_prints_is_heard(book: Path) -> None:
    (book / "helper.py").write_text("def speak():\n    print('spoken')\n")
    proof = proved(book, fence("import helper\nhelper.speak()"))
    assert proof.outcome.outputs == ["spoken\n"]


def test_nothing_leaks_from_page_to_page(book: Path) -> None:
    for name, code in (("01-a.md", "leak = 1\nimport json\njson.leak = 1"), ("02-b.md", "x = 1")):
        (book / name).write_text(fence(code))
    (book / "02-b.md").write_text(
        fence("import json\nfound = hasattr(json, 'leak') or 'leak' in globals()\nprint(found)")
    )
    first, second = prove_all([book / "01-a.md", book / "02-b.md"], load(book))
    assert not first.findings
    assert second.outcome.outputs == ["False\n"]


def test_a_module_changed_between_two_runs_is_seen(book: Path) -> None:
    text = fence("import helper") + "It is 3<!-- = helper.x -->.\n"
    (book / "helper.py").write_text("x = 3\n")
    assert not proved(book, text).findings
    (book / "helper.py").write_text("x = 4  # longer\n")
    assert "page says 3, code says 4" in proved(book, text).report_all


def test_claims_before_a_failing_block_are_still_judged(book: Path) -> None:
    report = proved(book, fence("x = 1") + "\n2<!-- = x -->\n\n" + fence("y")).report_all
    assert "page says 2, code says 1" in report
    assert "NameError" in report


def test_a_page_without_code_runs_nothing(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere")
    assert not proved(book, "Just text[^brown2020].\n").findings


def test_a_block_that_cannot_run_on_this_system_shows_its_recorded_output(snippets: Path) -> None:
    settings = (snippets / "pyproject.toml").read_text() + 'recorded = ["nowhere"]\n'
    (snippets / "pyproject.toml").write_text(settings)
    (snippets / "snippets/far.py").write_text("import nowhere\nx = 3\nprint(x)\n")
    (snippets / "snippets/far.out").write_text("3\n")
    text = fence('--8<-- "far.py"') + "\nIt is 3<!-- = x -->, and 4<!-- = y -->.\n"
    proof = proved(snippets, text)
    assert proof.outcome.outputs == ["3\n"]
    assert proof.outcome.devices == ["recorded"]
    assert [f.message for f in proof.findings] == ["= y: no name 'y' on this page"]


def test_a_block_is_labelled_by_the_package_that_does_its_work(book: Path) -> None:
    settings = (book / "pyproject.toml").read_text() + 'devices = { far = "DEVICE" }\n'
    (book / "pyproject.toml").write_text(settings)
    (book / "far.py").write_text("DEVICE = 'a far card'\ndef work(): return 1\n")
    proof = proved(book, fence("from far import work\nwork()") + "\n" + fence("y = 1"))
    assert proof.outcome.devices == ["a far card", ""]


def test_text_after_a_fault_in_a_fence_keeps_its_line_numbers(book: Path) -> None:
    text = "---\ntitle: X\n---\n\n" + fence("x = 1") + "\nIt is 2<!-- = x -->.\n"
    assert proved(book, text).report_all.startswith("01-page.md:9:7: page says 2, code says 1")


def test_suggestions_come_where_a_block_cannot_run_too(snippets: Path) -> None:
    settings = (snippets / "pyproject.toml").read_text() + 'recorded = ["nowhere"]\n'
    (snippets / "pyproject.toml").write_text(settings)
    (snippets / "snippets/far.py").write_text("import nowhere\n")
    (snippets / "snippets/far.out").write_text("")
    text = fence("gain = 213.08") + "\n" + fence('--8<-- "far.py"') + "\nA factor of 213.1.\n"
    assert "perhaps <!-- = gain -->" in proved(snippets, text).report_all


def test_a_snippet_that_changes_between_reading_and_running_is_told(
    snippets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CREW.run

    def late(*arguments: Any) -> Any:
        (snippets / "snippets/whole.py").unlink()
        return run(*arguments)

    monkeypatch.setattr(CREW, "run", late)
    report = proved(snippets, fence('--8<-- "whole.py"')).report_all
    assert "a file that it shows changed while it ran: run it again" in report
