"""The contents, the pages and the bibliography say the same."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from book import bibliography, contents, index
from proofread.reading import notebooks

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "docs/chapters").glob("*.md"))
LABS = sorted((ROOT / "docs/labs").glob("*.py"))


def test_every_chapter_and_lab_is_in_the_contents_under_its_own_title() -> None:
    book = contents.load(ROOT / "docs")
    for page in CHAPTERS + LABS:
        chapter = book.find(page.name)
        assert chapter is not None, page.name
        title = re.search(r"(?m)^# (.+)$", notebooks.read(page))
        assert title is not None
        assert title[1] == chapter.title


def test_chapters_and_labs_are_numbered_without_gaps() -> None:
    book = contents.load(ROOT / "docs")
    numbers = [chapter.number for part in book.parts for chapter in part.chapters]
    assert numbers == list(range(len(numbers)))
    numbers = [lab.number for lab in book.labs.chapters]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_page_is_in_the_navigation() -> None:
    loose = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("!ENV", "")
    listed = [yaml.safe_load(loose)["nav"], contents.load(ROOT / "docs").navigation()]
    pages = re.findall(r"[\w/-]+\.(?:md|py)", str(listed))
    docs = ROOT / "docs"
    there = [*docs.rglob("*.md"), *docs.glob("labs/*.py")]
    assert sorted(pages) == sorted(page.relative_to(docs).as_posix() for page in there)


def test_the_navigation_has_what_is_written_in_the_order_of_the_contents(tmp_path: Path) -> None:
    plan = '{{ file = "{}", title = "T", says = "S" }}'
    for number, files in enumerate((["00-a", "01-b"], ["02-c"], ["03-d", "04-e"])):
        chapters = ", ".join(map(plan.format, files))
        with (tmp_path / "contents.toml").open("a") as table:
            table.write(f'[[part]]\ntitle = "{"XYZ"[number]}"\nchapters = [{chapters}]\n')
    for page in ("04-e", "01-b", "03-d"):
        (tmp_path / "chapters").mkdir(exist_ok=True)
        (tmp_path / f"chapters/{page}.md").touch()
    assert contents.load(tmp_path).navigation() == [
        {"Part I · X": ["chapters/01-b.md"]},
        {"Part III · Z": ["chapters/03-d.md", "chapters/04-e.md"]},
    ]


def test_every_chapter_has_the_parts_that_a_chapter_has() -> None:
    for page in CHAPTERS:
        text = page.read_text(encoding="utf-8")
        assert "{: .lead }" in text
        assert '!!! goals "In this chapter you will"' in text
        assert text.count("!!! quiz") >= 3
        assert text.count("!!! exercise") >= 2
        assert text.count("??? solution") == text.count("!!! exercise")
        assert "!!! around" in text
        assert bibliography.CITED.search(text)


def test_every_source_is_complete_and_cited_somewhere() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    for key, entry in bibliography.entries().items():
        assert {"authors", "title", "year"} <= entry.keys(), key
        assert "arxiv" in entry or "doi" in entry, key
        assert key.endswith(str(entry["year"])), key
        assert f"[^{key}]" in text or f"@ {key}" in text, f"{key} is cited nowhere"


def test_the_snippet_index_lists_every_program() -> None:
    shown = index.listing()
    for file in ROOT.glob("snippets/*/*.py"):
        assert f"{file.parent.name}/{file.name}" in shown
