"""A notebook in the percent format, read as a page that has the same lines.

    # %% [markdown]             a cell of text: each of its lines is a comment
    # %% tags=["solution"]      a cell of code, up to the empty line before the next mark

Code becomes an executed fence: its first line stands in the place of the mark, its last in that of
the empty line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SUFFIX = ".py"
MARK = re.compile(r'# %%(?: (?P<text>\[markdown\])| tags=(?P<tags>\["[^\]]*"\]))?')
OPEN, CLOSE = '```python exec="on" source="above" result="text"', "```"


class NotebookError(ValueError):
    """A line of a notebook that cannot be read, and what to write."""

    def __init__(self, line: int, told: str) -> None:
        super().__init__(told)
        self.line = line


@dataclass
class Cell:
    mark: str
    code: bool
    tags: list[str]
    rows: list[str] = field(default_factory=list)  # as in the file


def read(path: Path) -> str:
    """The Markdown of a file, be it a page or a notebook."""
    text = path.read_text(encoding="utf-8")
    return as_page(text) if path.suffix == SUFFIX else text


def written(page: str, path: Path) -> str:
    """What a file has to hold to be read as this page."""
    return as_notebook(page, path.read_text(encoding="utf-8")) if path.suffix == SUFFIX else page


def as_page(text: str) -> str:
    rows = []
    for cell in cells(text):
        if cell.code:
            rows += [OPEN, *cell.rows[:-1], CLOSE]
        else:
            rows += ["", *(row[2:] for row in cell.rows)]
    return "\n".join(rows)


def as_notebook(page: str, before: str) -> str:
    """The notebook, once its text was edited as a page. Code stays as it was before."""
    edited = iter(page.split("\n"))
    rows = []
    for cell in cells(before):
        next(edited)
        pairs = [(old, next(edited)) for old in cell.rows]
        rows += [cell.mark, *(old if cell.code or not old else _comment(new) for old, new in pairs)]
    return "\n".join(rows)


def cells(text: str) -> Iterator[Cell]:
    """The cells of a notebook, in order; raises NotebookError."""
    cell: Cell | None = None
    for line, row in enumerate(text.split("\n"), 1):
        if row.startswith("# %%"):
            if cell:
                yield _whole(cell, line)
            mark = MARK.fullmatch(row)
            if not mark:
                known = '# %% [markdown], # %% or # %% tags=["…"]'
                raise NotebookError(line, f"{row!r} begins no cell: write {known}")
            cell = Cell(row, not mark["text"], json.loads(mark["tags"] or "[]"))
        elif cell is None:
            raise NotebookError(line, "a notebook begins with # %%, its first cell")
        elif not cell.code and row and not re.match("#(?: |$)", row):
            raise NotebookError(line, "a line of a text cell begins with # and a space")
        elif cell.code and row.startswith(CLOSE):
            raise NotebookError(line, "a cell of code cannot hold a fence")
        else:
            cell.rows.append(row)
    if cell:
        yield _whole(cell, line + 1)


def _whole(cell: Cell, end: int) -> Cell:
    if cell.code and (not cell.rows or cell.rows[-1]):
        raise NotebookError(end, "a cell of code ends with an empty line")
    return cell


def _comment(row: str) -> str:
    return f"# {row}".rstrip()
