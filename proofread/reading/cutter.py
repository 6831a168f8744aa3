"""Cuts a Markdown page into the blocks a reader sees, keeping every offset.

What Markdown would take for something else than the cutter does, it names in a block's problems.
"""

from __future__ import annotations

import re

from proofread.reading import html, markup
from proofread.reading.blocks import Block
from proofread.reading.containers import Containers
from proofread.reading.markup import EMPTY, Line, blank


def cut(source: str) -> list[Block]:
    """All blocks of a page, in order. Nested content comes as blocks of its own."""
    return _Cutter(source).run()


class _Cutter:
    def __init__(self, source: str) -> None:
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.at = 0
        self.blocks: list[Block] = []
        self.problems: list[tuple[int, str]] = []  # of the block that comes next
        self.inside = Containers()
        self.open: Block | None = None  # the paragraph that is still growing
        self.quoted = False  # it began behind a quote mark
        self.margin = 0  # the column at which it began

    def run(self) -> list[Block]:
        if self.lines and self.lines[0].rstrip() == "---":
            ends = (n for n, line in enumerate(self.lines) if n and line.rstrip() == "---")
            self.at = 1 + next(ends, 0)
        while self.at < len(self.lines):
            self.block(markup.line(self.lines[self.at]))
        if self.problems:
            self.add(Block("paragraph", self.starts[-1], ""), 0)
        return self.blocks

    def block(self, line: Line) -> None:
        """Read what begins at a line: the first that recognises it takes it."""
        if not line.text:
            self.open = None
            self.at += 1
            return
        self.lead(line)
        readers = (
            self.fence, self.display, self.mark, self.silent, self.table, self.heading,
            self.caption, self.title, self.tags,
        )  # fmt: skip
        if not any(reader(line) for reader in readers):
            self.text(line)

    def lead(self, line: Line) -> None:
        """What stands before the text of a line, and what it may not begin with."""
        if line.quoted and not self.quoted:
            self.open = None
        self.quoted = line.quoted or (self.quoted and self.open is not None)
        if re.match(r"[ >]*\t", line.raw):
            self.problem("a tab at the start of a line: indent by spaces")
        elif self.open is None and not self.inside.holds(line.column):
            self.problem("indented code: write a fence, or indent by four spaces a level")
        if markup.COMMENTED.match(line.text):
            self.problem("a comment before a mark of Markdown: put it on a line of its own")
        if self.open and markup.UNDERLINE.fullmatch(line.text):
            self.problem("an underlined heading: write # before it")
        elif markup.LINK_TARGET.match(line.text):
            self.problem("the target of a link apart from the link: write [text](target)")

    def problem(self, message: str, at: int | None = None) -> None:
        self.problems.append((self.starts[self.at if at is None else at], message))

    def add(self, block: Block, lines: int) -> bool:
        block.problems, self.problems = self.problems, []
        self.blocks.append(block)
        self.open = None
        self.at += lines
        return True

    def empty(self, at: int) -> bool:
        """True for an empty line, and for the end of the page."""
        return at >= len(self.lines) or not self.lines[at].strip(EMPTY)

    def single(self, kind: str, line: Line, begin: int, end: int | None = None) -> bool:
        """A block of one line, of which only a part is its text."""
        text = blank(line.body[:begin]) + line.body[begin:end]
        return self.add(Block(kind, self.starts[self.at], text, begin), 1)

    def fence(self, line: Line) -> bool:
        opened = markup.OPEN.match(line.text)
        if not opened:
            return False
        closing = re.compile(rf"[ >]{{{line.indent}}}{re.escape(opened['fence'])}\s*$")
        end = self.at + 1
        while end < len(self.lines) and not closing.match(self.lines[end]):
            row = self.lines[end]
            if row.strip(EMPTY) and len(row) - len(row.lstrip(" >")) < line.indent:
                self.problem("a line in a fence that stands left of the fence", end)
            end += 1
        text = "".join(self.lines[self.at : end + 1])
        info = opened["info"].strip()
        return self.add(
            Block("fence", self.starts[self.at], text, line.indent, info), end + 1 - self.at
        )

    def display(self, line: Line) -> bool:
        env = markup.ENV.match(line.text)
        if not env and not line.text.startswith(("$$", "\\[")):
            return False
        if self.open:
            self.problem("a display formula without an empty line before it")
        close = f"\\end{{{env[1]}" if env else {"$$": "$$", "\\[": "\\]"}[line.text[:2]]
        end, rest = self.at + 1, line.text[2:]
        while close not in rest and not self.empty(end):
            rest = self.lines[end]
            end += 1
        if close not in rest:
            self.problem("a formula that is never closed")
        elif not self.empty(end):
            self.problem("a display formula without an empty line after it", end)
        text = "".join(self.lines[self.at : end])
        text = re.sub(r"(?m)^[ \t]*>[ \t>]*", lambda m: blank(m[0]), text)
        return self.add(Block("display", self.starts[self.at], text, line.indent), end - self.at)

    def mark(self, line: Line) -> bool:
        """A comment on lines of its own."""
        if self.open or not line.text.startswith("<!--"):
            return False
        end = self.at
        while end < len(self.lines) and "-->" not in self.lines[end]:
            end += 1
        text = "".join(self.lines[self.at : end + 1])
        kind = "mark" if markup.COMMENT.fullmatch(text.strip()) else "paragraph"
        return self.add(Block(kind, self.starts[self.at], text), end + 1 - self.at)

    def silent(self, line: Line) -> bool:
        """A line between parts, or the attributes of the paragraph above: nothing that shows."""
        attributes = markup.ATTRIBUTES.match(line.text)
        if attributes and markup.SHOWN.search(line.text):
            self.problem("text in an attribute list: write it where it can be checked")
            return False
        last = self.open and self.open.indent == line.indent and self.empty(self.at + 1)
        underline = self.open and markup.UNDERLINE.fullmatch(line.text)
        rule = markup.RULE.match(line.text) and not underline
        if not rule and not (attributes and last):
            return False
        self.open = None
        self.at += 1
        return True

    def table(self, line: Line) -> bool:
        below = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        delimited = markup.DELIMITER.match(markup.QUOTE.sub("", below, count=1))
        if self.open or "|" not in line.body or not delimited:
            return False
        if markup.NOTE.match(line.text):
            self.problem("a note that begins with a table: write text before it")
        end = self.at
        while not self.empty(end):
            end += 1
        text = "".join(markup.line(row).body for row in self.lines[self.at : end])
        return self.add(Block("table", self.starts[self.at], text), end - self.at)

    def heading(self, line: Line) -> bool:
        marks = markup.HEADING.match(line.text)
        if not marks:
            return False
        if line.column != (self.margin if self.open else self.inside.margin):
            self.problem("a heading that stands further in than its text")
        if re.match(r"\s*(?:\{|$)", line.text[marks.end() :]):
            self.problem("a heading without text")
        if markup.FORMULA_OR_CODE.sub("", line.text).count("{") > 1:
            self.problem("a heading with more than one attribute list")
        self.single("heading", line, marks.end() + line.indent)
        self.blocks[-1].level = line.text.index(" ")
        return True

    def caption(self, line: Line) -> bool:
        return line.text.startswith("///") and self.single("caption", line, 0)

    def title(self, line: Line) -> bool:
        """Of a box or a tab."""
        title = markup.TITLE.match(line.text)
        if not title:
            return False
        self.inside.enter(line.column)
        begin, end = title.span("title" if title["title"] is not None else "kind")
        return self.single("title", line, line.indent + max(begin, 0), line.indent + max(end, 0))

    def tags(self, line: Line) -> bool:
        """Tags of elements that stand by themselves, alone on a line."""
        tags = markup.TAGS.fullmatch(line.text)
        alone = tags is not None and html.is_block(tags["tag"] or "")
        return alone and self.single("paragraph", line, 0)

    def text(self, line: Line) -> None:
        """A line of a paragraph; a list marker or footnote label begins a new one."""
        body, indent, markers, began = line.body, line.indent, list[tuple[int, str]](), False
        start = self.starts[self.at]
        if markup.MEANING.match(line.text):
            if self.open and self.open.item:
                self.problem("a meaning without its term: leave an empty line and write the term")
            self.inside.enter(line.column)
            self.open = None
        while (self.open is None or self.open.item) and (mark := _marker(body, indent)):
            self.inside.enter(line.column + indent - line.indent)
            self.open, began = None, True
            if "number" in mark.re.groupindex and mark["number"]:
                markers.append((start + indent, mark["number"]))
            body = body[:indent] + blank(mark[0]) + body[mark.end() :]
            indent = mark.end()
        if self.open is None:
            if option := markup.OPTION.match(body, indent):
                body = body[:indent] + blank(option[0]) + body[option.end() :]
            paragraph = Block("paragraph", start, "", indent, item=began)
            self.add(paragraph, 0)
            self.open, self.margin = paragraph, line.column
        self.open.text += body
        self.open.markers += markers
        self.open.problems += self.problems
        self.problems = []
        self.at += 1


def _marker(body: str, at: int) -> re.Match[str] | None:
    return markup.MARKER.match(body, at) or markup.NOTE.match(body, at)
