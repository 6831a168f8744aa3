"""Cuts a Markdown page into the blocks a reader sees, keeping every offset.

A block's text is as long as its piece of the source: list markers, quote marks, admonition and tab
headers are blanked, so an offset in the text plus `start` is an offset in the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

OPEN = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$")
QUOTE = re.compile(r"^\s*(?:>\s?)*")
HEADING = re.compile(r"#{1,6}\s+")
TITLE = re.compile(
    r'(?:(?:!!!|\?\?\?\+?)\s+[\w -]+|===[!+]?)\s*"(?P<title>.*)"\s*$|'
    r"(?:!!!|\?\?\?\+?)\s+[\w -]+$"
)
MARKER = re.compile(r"(?:[-*+]|(?P<number>\d+)[.)])[ \t]+(?=\S)(?:\[[ xX]\][ \t]+)?")
NOTE = re.compile(r"\[\^[^\]]+\]:\s*")
DEFINITION = re.compile(r"(?:\[[^\]^]+\]:\s*\S|\*\[[^\]]+\]:|\{:?[^{}]*\}\s*$)")
DELIMITER = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
RULE = re.compile(r"(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
COMMENT = re.compile(r"<!--.*?-->\s*$", re.S)
ENV = re.compile(r"\\begin\{(align|gather|equation|multline)\*?\}")


@dataclass
class Block:
    kind: str  # paragraph, heading, title, caption, table, display, fence, mark (a lone comment)
    start: int
    text: str
    indent: int = 0
    info: str = ""  # of a fence
    markers: list[tuple[int, str]] = field(default_factory=list)  # list numbers: offset, text

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def cut(source: str) -> list[Block]:
    """All blocks of a page, in order. Nested content comes as blocks of its own."""
    return _Cutter(source).run()


def line_of(source: str, offset: int) -> int:
    return source.count("\n", 0, offset) + 1


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class _Cutter:
    def __init__(self, source: str) -> None:
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.blocks: list[Block] = []
        self.open: Block | None = None  # the paragraph that is still growing
        self.at = 0

    def run(self) -> list[Block]:
        if self.lines and self.lines[0].rstrip() == "---":
            self.at = 1 + next(
                (i for i, line in enumerate(self.lines[1:], 1) if line.rstrip() == "---"), 0
            )
        while self.at < len(self.lines):
            self.line()
        self.close()
        return self.blocks

    def line(self) -> None:
        line = self.lines[self.at]
        body = QUOTE.sub(lambda m: _blank(m[0]), line, count=1)
        stripped = body.strip()
        indent = len(body) - len(body.lstrip())
        if not stripped:
            self.close()
            self.at += 1
        elif opened := OPEN.match(stripped):
            self.fence(opened["fence"], opened["info"].strip(), indent)
        elif stripped.startswith(("$$", "\\[")) or ENV.match(stripped):
            self.display(stripped, indent)
        elif not self.open and stripped.startswith("<!--"):
            self.mark()
        elif DEFINITION.match(stripped) or RULE.match(stripped):
            self.close()
            self.at += 1
        elif (
            "|" in body
            and self.at + 1 < len(self.lines)
            and DELIMITER.match(QUOTE.sub("", self.lines[self.at + 1], count=1))
            and not self.open
        ):
            self.until_blank("table")
        elif heading := HEADING.match(stripped):
            self.single("heading", body, heading.end() + indent)
        elif stripped.startswith("///"):
            self.single("caption", body, 0)
        elif title := TITLE.match(stripped):
            begin = indent + title.start("title") if title["title"] is not None else len(body)
            text = body[begin : indent + title.end("title")] if title["title"] is not None else ""
            self.single("title", _blank(body[:begin]) + text, begin)
        else:
            self.text(body, indent)

    def text(self, body: str, indent: int) -> None:
        """A line of a paragraph; a list marker or footnote label begins a new one."""
        start, markers = self.starts[self.at], []
        while mark := MARKER.match(body[indent:]) or NOTE.match(body[indent:]):
            self.close()
            if "number" in mark.re.groupindex and mark["number"]:
                markers.append((start + indent, mark["number"]))
            body = body[:indent] + _blank(mark[0]) + body[indent + mark.end() :]
            indent += mark.end()
        if self.open is None:
            self.open = Block("paragraph", start, "", indent)
            self.blocks.append(self.open)
        self.open.text += body
        self.open.markers += markers
        self.at += 1

    def close(self) -> None:
        self.open = None

    def single(self, kind: str, body: str, begin: int) -> None:
        self.close()
        text = _blank(body[:begin]) + body[begin:]
        self.blocks.append(Block(kind, self.starts[self.at], text, begin))
        self.at += 1

    def until_blank(self, kind: str) -> None:
        block = Block(kind, self.starts[self.at], "")
        while self.at < len(self.lines) and self.lines[self.at].strip(" >\n"):
            block.text += QUOTE.sub(lambda m: _blank(m[0]), self.lines[self.at], count=1)
            self.at += 1
        self.blocks.append(block)

    def fence(self, fence: str, info: str, indent: int) -> None:
        self.close()
        start = self.at
        self.at += 1
        closing = re.compile(rf"[\s>]*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        while self.at < len(self.lines) and not closing.match(self.lines[self.at]):
            self.at += 1
        self.at += 1
        text = "".join(self.lines[start : self.at])
        self.blocks.append(Block("fence", self.starts[start], text, indent, info))

    def display(self, stripped: str, indent: int) -> None:
        self.close()
        start = self.at
        env = ENV.match(stripped)
        close = f"\\end{{{env[1]}" if env else {"$$": "$$", "\\[": "\\]"}[stripped[:2]]
        rest = stripped[2:]
        while close not in rest and self.at + 1 < len(self.lines):
            self.at += 1
            rest = self.lines[self.at]
        self.at += 1
        text = "".join(self.lines[start : self.at])
        text = re.sub(r"(?m)^[ \t]*>[ \t>]*", lambda m: _blank(m[0]), text)
        self.blocks.append(Block("display", self.starts[start], text, indent))

    def mark(self) -> None:
        start = self.at
        while self.at < len(self.lines) and "-->" not in self.lines[self.at]:
            self.at += 1
        self.at += 1
        text = "".join(self.lines[start : self.at])
        kind = "mark" if COMMENT.fullmatch(text.strip()) else "paragraph"
        self.blocks.append(Block(kind, self.starts[start], text))
