"""Labs: what a reader takes away runs, and what the site shows was made once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from book import labs
from proofread.reading.notebooks import Cell, cells
from tests.site.conftest import ENVIRONMENT, ROOT, Build, pages
from tests.site.test_interrupted_builds import SETTINGS

SOURCES = sorted((ROOT / "docs/labs").glob("*.py"))
LAB = """# %% [markdown]
# # A lab
# {: .lead }
#
# It has one<!-- = made --> number, and a [page](../index.md#a-page)[^vaswani2017].

# %%
import helper

made = helper.made

# %% tags=["exercise"]
print("yours")

# %% tags=["solution"]
print("mine")
"""


def taken(source: Path) -> nbformat.NotebookNode:
    """The notebook that a reader downloads."""
    whole = list(cells(source.read_text(encoding="utf-8")))
    made = labs._files(whole, [labs._readable(cell, lambda link: link[0]) for cell in whole], "lab")
    notebook: nbformat.NotebookNode = nbformat.reads(made["lab.ipynb"], as_version=4)
    nbformat.validate(notebook)
    return notebook


def ran(notebook: nbformat.NotebookNode) -> list[str]:
    """What each of its cells of code prints, in a fresh kernel."""
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["".join(output.get("text", "") for output in cell.outputs) for cell in code]


def tagged(notebook: nbformat.NotebookNode, tag: str) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_an_unsolved_notebook_runs_and_says_what_to_do(source: Path) -> None:
    notebook = taken(source)
    said = ran(notebook)
    todo = [text for text in said if "is not right yet" in text]
    assert len(todo) == len(tagged(notebook, "exercise")) > 0
    assert all("It returns nothing. It should return" in text for text in todo)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_solved_notebook_is_told_that_it_is_right(source: Path) -> None:
    notebook = taken(source)
    pairs = zip(tagged(notebook, "exercise"), tagged(notebook, "solution"), strict=True)
    for exercise, solution in pairs:
        assert solution.metadata["jupyter"]["source_hidden"]
        exercise.source = re.sub(r"(?m)^@.*\n", "", solution.source)
    said = "".join(ran(notebook))
    solved = len(tagged(notebook, "exercise"))
    assert len(re.findall(r"✓ \w+ is right\.\n", said)) == solved
    assert said.count("yours is right") == solved
    assert "not right yet" not in said


@pytest.fixture
def small(copy: Path) -> Path:
    """A book of one page and one lab."""
    for page in pages(copy):
        page.unlink()
    (copy / "docs/index.md").write_text("# A page\n")
    (copy / "docs/labs").mkdir(exist_ok=True)
    (copy / "docs/labs/01-from-nothing.py").write_text(LAB)
    (copy / "helper.py").write_text("made = 1\n")
    (copy / "mkdocs.yml").write_text(SETTINGS.format("site_url: https://example.org/book/"))
    return copy


def imports(book: Path) -> str:
    """The modules that a build loads."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "book.build"],
        cwd=book,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def test_a_lab_is_a_page_with_its_cells_in_frames(small: Path, build: Build) -> None:
    assert build().returncode == 0
    page = (small / "site/labs/01-from-nothing/index.html").read_text()
    assert '<div class="cell yours"><figure class="run" id="block-2">' in page
    assert '<details class="solution"><summary>A solution</summary><figure class="run"' in page
    assert '<a href="../../#a-page">page</a>' in page
    assert 'href="01-from-nothing.ipynb" download' in page
    assert "<style" not in page.partition("<body")[2]
    assert "mathjax" not in page.lower()


def test_what_a_reader_takes_away_reads_well_anywhere(small: Path, build: Build) -> None:
    assert build().returncode == 0
    folder = small / "site/labs/01-from-nothing"
    notebook = nbformat.read(folder / "01-from-nothing.ipynb", as_version=4)
    text = "# A lab\n\nIt has one number, and a [page](https://example.org/book/#a-page)."
    assert notebook.cells[0].source == text
    assert not any(cell.get("outputs") for cell in notebook.cells)
    program = (folder / "01-from-nothing.py").read_text()
    assert [cell.code for cell in cells(program + "\n")] == [False, True, True, True]
    compile(program, "lab.py", "exec")


def test_a_build_in_which_no_lab_changed_loads_nothing_of_jupyter(small: Path) -> None:
    assert "nbconvert" in imports(small)
    first = (small / "site/labs/01-from-nothing/index.html").read_text()
    again = imports(small)
    assert not re.search(r"nbconvert|jupytext|nbformat|numpy", again)
    assert (small / "site/labs/01-from-nothing/index.html").read_text() == first


def test_a_lab_follows_the_modules_that_it_uses(small: Path, build: Build) -> None:
    assert build().returncode == 0
    (small / "helper.py").write_text("made = 2\n")
    done = build()
    assert done.returncode != 0
    assert "docs/labs/01-from-nothing.py:5:10: page says one, code says" in done.stdout


def test_a_damaged_memory_of_a_lab_is_made_anew(small: Path, build: Build) -> None:
    assert build().returncode == 0
    kept = small / ".cache/labs/01-from-nothing.json"
    kept.write_text(kept.read_text()[:100])
    assert build().returncode == 0
    assert "yours" in (small / "site/labs/01-from-nothing/index.html").read_text()


def test_a_memory_that_cannot_be_kept_does_no_harm(small: Path, build: Build) -> None:
    (small / ".cache/labs").write_text("a file where the folder should be")
    assert build().returncode == 0
    assert "yours" in (small / "site/labs/01-from-nothing/index.html").read_text()


def test_a_cell_keeps_its_code_to_the_letter() -> None:
    code = ["x = '<!-- = 1 -->'  # [^note] [a](b.md)", "", "y = 2", "", ""]
    assert labs._readable(Cell("# %%", True, [], code), lambda _: "no") == "\n".join(code[:3])
