"""Which lists, boxes, tabs, notes and definitions are open, and what indentation means in them.

Markdown reads four columns beyond the content of the innermost one as a block of code.
"""

from __future__ import annotations

WIDTH = 4  # columns by which a container's content is indented


class Containers:
    def __init__(self) -> None:
        self.columns: list[int] = []  # where the content of each open container begins

    @property
    def margin(self) -> int:
        """The column at which a block begins here."""
        return self.columns[-1] if self.columns else 0

    def holds(self, column: int) -> bool:
        """Leave the containers that a new block is not in; False if the block is indented code."""
        while self.margin > column:
            self.columns.pop()
        return column - self.margin < WIDTH

    def enter(self, column: int) -> None:
        """A list item, box, tab, note or definition begins at this column."""
        self.holds(column)
        self.columns.append(column + WIDTH)
