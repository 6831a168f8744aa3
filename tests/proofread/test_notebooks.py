"""A notebook is a page whose lines are those of its file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofread.proof import prove
from proofread.reading.notebooks import NotebookError, as_notebook, as_page, cells
from proofread.settings import load

NOTEBOOK = """# %% [markdown]
# # A title
#
# Before any code, chapter 1.

# %%
a = 1 / 3


def half(x):
    return x / 2


# %% tags=["solution"]
print(f"{half(a):.4f}")

# %% [markdown]
# A third, halved, is 0.1667<!-- = half(a) -->.
"""


@pytest.fixture
def notebook(book: Path) -> Path:
    file = book / "lab.py"
    file.write_text(NOTEBOOK)
    return file


def cli(book: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "proofread", *arguments, "--root", str(book)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_notebook_is_proven_as_a_page_is(notebook: Path, book: Path) -> None:
    proof = prove(notebook, load(book))
    assert not proof.findings, proof.report_all
    assert [run.output for run in proof.outcome.runs] == ["", "0.1667\n"]
    assert [claim.source for claim in proof.page.claims] == ["= half(a)"]


def test_a_wrong_number_is_told_with_the_line_of_the_file(notebook: Path, book: Path) -> None:
    notebook.write_text(NOTEBOOK.replace("0.1667<", "0.1666<"))
    told = prove(notebook, load(book)).report_all
    assert told.startswith("lab.py:18:23:"), told
    assert "page says 0.1666, code says 0.1667" in told


def test_code_that_fails_is_told_with_the_line_of_the_file(notebook: Path, book: Path) -> None:
    notebook.write_text(NOTEBOOK.replace("x / 2", "x / nothing"))
    told = prove(notebook, load(book)).report_all
    assert "lab.py:14:1: lab.py:15: NameError" in told, told


def test_an_unlabelled_number_is_found(notebook: Path, book: Path) -> None:
    notebook.write_text(NOTEBOOK.replace("Before any", "Of 9 things, before any"))
    assert "lab.py:4:6: 9 is neither" in prove(notebook, load(book)).report_all


def test_fix_mends_the_text_and_leaves_the_code(notebook: Path, book: Path) -> None:
    notebook.write_text(NOTEBOOK.replace("0.1667<", "?<"))
    assert cli(book, "fix", str(notebook)).returncode == 0
    assert notebook.read_text() == NOTEBOOK


def test_a_mention_of_a_lab_has_to_lead_to_one(notebook: Path, book: Path) -> None:
    with (book / "c.toml").open("a") as contents:
        contents.write('[[lab]]\nfile = "01-lab"\n')
    notebook.write_text(NOTEBOOK.replace("chapter 1", "lab 1, lab 2"))
    told = prove(notebook, load(book)).report_all
    assert "lab 2 does not exist" in told
    assert "lab 1" not in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("# %%\na", "#%%\na", "6:1: a line of a text cell begins with # and a space"),
        ("# # A title", "A title", "2:1: a line of a text cell begins with # and a space"),
        ("# # A title", "## A title", "2:1: a line of a text cell begins with # and a space"),
        ("/ 2\n\n\n#", "/ 2\n#", "12:1: a cell of code ends with an empty line"),
        ('tags=["solution"]', "tags=solution", "14:1: '# %% tags=solution' begins no cell"),
        ("# %% [markdown]\n# #", "import os\n# #", "1:1: a notebook begins with # %%"),
        ("a = 1 / 3", "```", "7:1: a cell of code cannot hold a fence"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line(
    notebook: Path, book: Path, old: str, new: str, told: str
) -> None:
    assert old in NOTEBOOK
    notebook.write_text(NOTEBOOK.replace(old, new, 1))
    assert told in prove(notebook, load(book)).report_all


ROWS = st.lists(st.sampled_from(["", "# text", "#", "# # %%", "#     code"]), max_size=4)
CODE = st.lists(st.sampled_from(["", "x = 1", "# a remark", "    y"]), max_size=4)
CELLS = st.lists(
    ROWS.map(lambda rows: ["# %% [markdown]", *rows]) | CODE.map(lambda rows: ["# %%", *rows, ""]),
    min_size=1,
)


@given(CELLS)
def test_every_notebook_comes_back_as_it_was(made: list[list[str]]) -> None:
    text = "\n".join(row for cell in made for row in cell)
    assert as_notebook(as_page(text), text) == text
    assert as_page(text).count("\n") == text.count("\n")
    assert [cell.code for cell in cells(text)] == [cell[0] == "# %%" for cell in made]


def test_an_empty_file_has_no_cells() -> None:
    with pytest.raises(NotebookError, match="a notebook begins"):
        as_page("")
