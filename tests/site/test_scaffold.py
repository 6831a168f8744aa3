"""What `proofread new` makes of this book's templates is whole, and true, before it is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofread.filling import UNSAID
from proofread.settings import load
from tests.site.conftest import ROOT, call

CHAPTERS = load(ROOT).chapters
FREE = max(CHAPTERS) + 1
PLANNED = [file for file in CHAPTERS.values() if not (ROOT / f"docs/chapters/{file}.md").exists()]
ASKED = {
    "into what is there": ["snippet ch07/mean-value", "widget ch07/balance"],
    "as planned": [f"chapter {file}" for file in PLANNED[:1]],
    "all new": ["chapter of-a-test", f"snippet ch{FREE}/mean-value", f"widget ch{FREE}/balance"],
}


def test_no_chapter_still_says_what_the_template_says() -> None:
    (template,) = (ROOT / "book/scaffold/chapter/docs/chapters").glob("*.new")
    told = {line.strip() for line in template.read_text(encoding="utf-8").splitlines()}
    told = {line for line in told if len(line) > 40 and not line.startswith("```")} | {UNSAID}
    for page in [*ROOT.glob("docs/chapters/*.md"), ROOT / "docs/contents.toml"]:
        text = page.read_text(encoding="utf-8")
        left = [f"{page.name}: {line}" for line in sorted(told) if line in text]
        assert left == [], "write over what the template says"


def make(project: Path, what: str) -> list[str]:
    """Everything asked for; gives the files that are new or changed."""
    told = [call(project, "proofread", "new", *asked.split()) for asked in ASKED[what]]
    rows = [line.split() for text in told for line in text.splitlines()]
    return sorted({row[1] for row in rows if row and row[0] in ("new", "changed")})


@pytest.mark.parametrize("what", ASKED)
def test_what_is_made_passes_the_tests_that_the_book_passes(project: Path, what: str) -> None:
    files = make(project, what)
    if not files:
        pytest.skip("every chapter that is planned is written")
    call(project, "proofread", "check", *(file for file in files if file.endswith(".md")))
    call(project, "ruff", "check", ".")
    call(project, "ruff", "format", "--check", ".")
    made = " or ".join(file for file in files if file.startswith("snippets/"))
    said = call(
        project, "pytest", "-q", "tests/site/test_contents.py", "tests/pages/test_elsewhere.py",
        "tests/pages/test_snippets.py", "-k", f"contents or elsewhere or belongs or {made}",
    )  # fmt: skip
    assert "passed" in said


def test_a_book_with_what_is_made_builds(project: Path) -> None:
    files = make(project, "all new")
    call(project, "book.build")
    page = (project / f"site/chapters/{FREE}-of-a-test/index.html").read_text(encoding="utf-8")
    assert '<attn-balance class="widget"' in page
    assert f"{FREE}-of-a-test/" in (project / "site/index.html").read_text(encoding="utf-8")
    assert {f"docs/{name}" for name in ("contents.toml", "reference/widgets.md")} <= set(files)


@pytest.mark.deep
def test_no_wrong_digit_of_a_new_page_goes_unnoticed(project: Path) -> None:
    make(project, "all new")
    said = call(project, "pytest", "-q", "tests/pages/test_mutants.py", "-k", f"{FREE}-of-a-test")
    assert "passed" in said


@pytest.mark.deep
def test_a_new_widget_passes_the_tests_of_every_widget(project: Path) -> None:
    make(project, "all new")
    said = call(project, "pytest", "-q", "tests/browser/widgets", "-k", "balance")
    assert "passed" in said
