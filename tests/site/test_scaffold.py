"""What `proofread new` makes of this book's templates is whole, and true, before it is changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.conftest import ENVIRONMENT

ASKED = {
    "into what is there": ["chapter position", "snippet ch07/mean-value", "widget ch07/balance"],
    "all new": ["chapter temperature", "snippet ch18/mean-value", "widget ch18/balance"],
}


def run(project: Path, *command: str) -> str:
    """A module of Python in the copy; gives what it says, and fails where it does."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=project,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def make(project: Path, what: str) -> list[str]:
    """Everything asked for; gives the files that are new or changed."""
    told = [run(project, "proofread", "new", *asked.split()) for asked in ASKED[what]]
    rows = [line.split() for text in told for line in text.splitlines()]
    return sorted({row[1] for row in rows if row and row[0] in ("new", "changed")})


@pytest.mark.parametrize("what", ASKED)
def test_what_is_made_passes_the_tests_that_the_book_passes(project: Path, what: str) -> None:
    files = make(project, what)
    run(project, "proofread", "check", *(file for file in files if file.endswith(".md")))
    run(project, "ruff", "check", ".")
    run(project, "ruff", "format", "--check", ".")
    made = " or ".join(file for file in files if file.startswith("snippets/"))
    said = run(
        project, "pytest", "-q", "tests/site/test_contents.py", "tests/pages/test_elsewhere.py",
        "tests/pages/test_snippets.py", "-k", f"contents or elsewhere or belongs or {made}",
    )  # fmt: skip
    assert "passed" in said


def test_a_book_with_what_is_made_builds(project: Path) -> None:
    files = make(project, "all new")
    run(project, "book.build")
    page = (project / "site/chapters/18-temperature/index.html").read_text(encoding="utf-8")
    assert '<attn-balance class="widget"' in page
    assert "18-temperature/" in (project / "site/index.html").read_text(encoding="utf-8")
    assert {f"docs/{name}" for name in ("contents.toml", "reference/widgets.md")} <= set(files)


@pytest.mark.deep
def test_no_wrong_digit_of_a_new_page_goes_unnoticed(project: Path) -> None:
    make(project, "all new")
    said = run(project, "pytest", "-q", "tests/pages/test_mutants.py", "-k", "18-temperature")
    assert "passed" in said


@pytest.mark.deep
def test_a_new_widget_passes_the_tests_of_every_widget(project: Path) -> None:
    make(project, "all new")
    said = run(project, "pytest", "-q", "tests/browser/widgets", "-k", "balance")
    assert "passed" in said
