"""A block of a page: what a reader sees as one paragraph, heading, table, formula or fence."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Block:
    """A block's text is as long as its piece of the source: marks of lists, quotes and boxes are
    blanked, so an offset in the text plus `start` is an offset in the page.
    """

    kind: str  # paragraph, heading, title, caption, table, display, fence, mark (a lone comment)
    start: int
    text: str
    indent: int = 0
    info: str = ""  # of a fence
    level: int = 0  # of a heading
    markers: list[tuple[int, str]] = field(default_factory=list)  # list numbers: offset, text
    item: bool = False  # it began with a list marker or the label of a note
    problems: list[tuple[int, str]] = field(default_factory=list)  # offset in the page, message

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def line_of(source: str, offset: int) -> int:
    return source.count("\n", 0, offset) + 1
