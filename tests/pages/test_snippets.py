"""A snippet is a complete program: run alone, it prints what its .out holds and the page shows."""

from __future__ import annotations

import ast
import contextlib
import io
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from proofread.proof import prove, prove_text
from proofread.reading.fences import MARK
from proofread.settings import load
from tests.pages import mutants

ROOT = Path(__file__).parents[2]
SNIPPETS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("snippets/*/*.py"))
RUNGS = [name for name in SNIPPETS if name.endswith("_rung.py")]
CHAPTER = "07-worked-example.md"
WIDTH = 72  # what fits in a code block


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_prints_its_out_in_a_fresh_interpreter(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / name], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (ROOT / name).with_suffix(".out").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_says_first_what_it_is(name: str) -> None:
    assert ast.get_docstring(ast.parse((ROOT / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_hides_no_module_of_python(name: str) -> None:
    """Its folder is where Python looks first, for its neighbours too."""
    assert Path(name).stem not in sys.stdlib_module_names


@pytest.mark.parametrize("name", RUNGS)
def test_a_shown_line_fits_the_page(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > WIDTH] == []


@pytest.mark.parametrize("name", SNIPPETS)
def test_sections_make_up_the_file(name: str) -> None:
    """Nothing but the docstring, comments and empty lines stands outside all sections."""
    source = (ROOT / name).read_text(encoding="utf-8")
    marks = list(MARK.finditer(source))
    if not marks:
        return
    edges = [(m["edge"], m["name"]) for m in marks]
    assert edges == [(e, n) for _, n in edges[::2] for e in ("start", "end")], "sections nest"
    outside, at = "", 0
    for start, end in zip(marks[::2], marks[1::2], strict=True):
        outside += source[at : start.start()]
        at = end.end()
    assert len(ast.parse(outside + source[at:]).body) <= 1, "only a docstring"


def test_every_out_belongs_to_a_snippet() -> None:
    assert all(path.with_suffix(".py").is_file() for path in ROOT.glob("snippets/**/*.out"))


@pytest.mark.parametrize("name", RUNGS)
def test_every_changed_input_of_a_rung_changes_what_it_prints(name: str) -> None:
    source = (ROOT / name).read_text(encoding="utf-8")
    expected = (ROOT / name).with_suffix(".out").read_text(encoding="utf-8")
    assert printed(source) == expected
    changes = list(mutants.of_inputs(source))
    assert len(changes) >= 12
    unnoticed = [what for what, code in changes if printed(code) == expected]
    assert not unnoticed, "\n".join(unnoticed)


def printed(source: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<rung>", "exec"), {"__name__": "__main__"})
        except Exception as error:
            return repr(error)
    return out.getvalue()


@pytest.mark.parametrize("name", RUNGS)
def test_a_claim_notices_every_changed_input_of_a_rung(name: str, tmp_path: Path) -> None:
    """Not only the .out does: the page's own numbers are bound to what each rung computes."""
    book = tmp_path / "book"
    shutil.copytree(ROOT / "snippets", book / "snippets")
    page = f"docs/chapters/{CHAPTER}"
    source, settings = (ROOT / page).read_text(encoding="utf-8"), replace(load(ROOT), root=book)
    rung = (ROOT / name).read_text(encoding="utf-8")
    unnoticed = []
    for what, code in mutants.of_inputs(rung):
        (book / name).write_text(code, encoding="utf-8")
        rules = {finding.rule for finding in prove_text(source, page, settings).findings}
        if not rules & {"stale", "error", "failed", "count"}:
            unnoticed.append(what)
    assert not unnoticed, "\n".join(unnoticed)


def test_without_triton_the_chapter_shows_what_its_kernel_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS and Windows, where there is no Triton."""
    (tmp_path / "triton").mkdir()
    told = "raise ModuleNotFoundError(\"No module named 'triton'\", name='triton')\n"
    (tmp_path / "triton/__init__.py").write_text(told)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    proof = prove(ROOT / "docs/chapters" / CHAPTER, load(ROOT))
    assert not proof.findings, proof.report_all
    recorded = [
        (code.path, output)
        for code, output, device in zip(
            proof.page.blocks_run, proof.outcome.outputs, proof.outcome.devices, strict=True
        )
        if device == "recorded"
    ]
    out = (ROOT / "snippets/ch07/triton_rung.out").read_text(encoding="utf-8")
    assert recorded == [("snippets/ch07/triton_rung.py", out)]
