"""The bench book is well-formed, its claims hold, and each edit changes what it should."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from book import contents
from proofread.page import parse
from proofread.proof import prove_all
from proofread.settings import Settings, load
from tests.bench import oracle, ours, scale, source
from tests.bench.source import EDITS, Book
from tests.bench.tools import OTHERS, Tool

STALE = {"block edited": 1, "prose edited": 0, "data edited": 2, "module edited": 8}


@pytest.fixture(scope="module")
def book() -> Book:
    return source.load()


def test_eight_pages_hold_four_blocks_each(book: Book) -> None:
    assert [len(book.blocks(page)) for page in book.pages] == [4] * 8


def test_every_page_imports_the_module(book: Book) -> None:
    for page in book.pages:
        assert "from lesson.telling import tell\n" in "".join(book.blocks(page)), page


def test_two_pages_share_a_snippet_and_two_read_the_data(book: Book) -> None:
    assert sum("--8<--" in text for text in book.pages.values()) == 2
    assert sum("data/words.csv" in text for text in book.pages.values()) == 2


def test_every_number_of_the_book_is_claimed_or_structural(book: Book, tmp_path: Path) -> None:
    """What can be known of the pages while nothing runs."""
    source.write(ours.files(book), tmp_path)
    for name, text in book.pages.items():
        page = parse(text, f"docs/chapters/{name}.md", Settings(root=tmp_path))
        assert page.problems == [] == page.unlabelled, name
        assert len(page.claims) > 4, name


def test_our_navigation_has_only_pages_that_are_there(book: Book) -> None:
    files = ours.files(book)
    listed = re.findall(r"(?m)^ .*?([\w/-]+\.md)$", files["mkdocs.yml"])
    assert listed == ["index.md"]
    assert "docs/index.md" in files


def test_the_page_that_reads_the_data_is_stale_after_an_edit_of_it(
    book: Book, tmp_path: Path
) -> None:
    """One page stands for all here; below, all run."""
    stem = "03-softmax"
    book = Book(book.named("lesson/") | book.named("data/") | book.named(f"pages/{stem}"))
    before = oracle.outputs(book, tmp_path)
    page = tmp_path / "page.html"
    page.write_text(f"<pre><code>{''.join(before[stem])}</code></pre>")
    assert oracle.stale({stem: page}, before) == []
    edit = next(edit for edit in EDITS if edit.name == "data edited")
    assert oracle.stale({stem: page}, oracle.outputs(book.edited(edit), tmp_path)) == [stem]


@pytest.mark.deep
def test_every_claim_of_the_book_holds_before_and_after_each_edit(
    book: Book, tmp_path: Path
) -> None:
    ours.copy_builder(tmp_path)
    for edit in (None, *EDITS):
        book = book.edited(edit) if edit else book
        source.write(ours.files(book), tmp_path)
        proofs = prove_all(sorted(tmp_path.glob("docs/**/*.md")), load(tmp_path))
        assert [proof.report_all for proof in proofs if proof.findings] == [], edit


@pytest.mark.deep
def test_each_edit_changes_what_some_pages_print(book: Book, tmp_path: Path) -> None:
    """And a page that is built before the edit counts as stale after it."""
    before = oracle.outputs(book, tmp_path)
    for edit in EDITS:
        book = book.edited(edit)
        after = oracle.outputs(book, tmp_path)
        pages = {}
        for page, printed in before.items():
            pages[page] = tmp_path / f"{page}.html"
            pages[page].write_text(f"<pre><code>{''.join(printed)}</code></pre>")
        stale = oracle.stale(pages, after)
        assert len(stale) == STALE[edit.name], edit
        assert stale == [page for page in after if after[page] != before[page]], edit
        before = after


def test_an_edit_of_prose_is_looked_for(book: Book, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>old words</p>")
    assert oracle.stale({"a": page}, {"a": []}, "a", "new words") == ["a"]
    assert oracle.stale({"a": page}, {"a": []}, "a", "old words") == []


@pytest.mark.parametrize("tool", OTHERS, ids=lambda tool: tool.name)
def test_every_tool_is_given_the_same_code(book: Book, tool: Tool) -> None:
    files = tool.files(book)
    given = "\n".join(files.values())
    for page in book.pages:
        for block in book.blocks(page):
            ast.parse(block)
            assert block in given, page
    assert "--8<--" not in given


def test_the_pages_of_a_larger_book_are_of_one_size(book: Book) -> None:
    made = scale.pages(book, 50)
    assert len(set(made.values())) == 50 == len(made)
    assert len({len(re.sub(r"\b\d+\b", "", text)) for text in made.values()}) == 1


def test_a_larger_book_has_sections_and_lists_only_the_own_one(book: Book, tmp_path: Path) -> None:
    folder = scale.make(book, tmp_path, 50)
    config = (folder / "mkdocs.yml").read_text()
    assert len(contents.load(folder / "docs").navigation()) == 3
    assert config.count("- navigation.prune\n") == 1
