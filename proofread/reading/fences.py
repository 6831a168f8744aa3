"""Fenced code: its attributes, and what it holds once `--8<--` includes are resolved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from proofread.reading.blocks import Block

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {  # what a fence may say, and the values it may have
    "exec": ("on",),
    "source": ("above",),
    "result": (),  # any language
    "html": ("on",),
    "hl_lines": (),
    "title": (),
    "alt": (),  # of the figure that the block draws
    "on": ("gpu",),  # only a GPU can run it: elsewhere its recorded output is shown
    "timeout": (),  # seconds
}
RUNNABLE = ("python", "py")
INFO = re.compile(r"(?P<language>[\w+-]*)(?P<attributes>(?:\s+[\w-]+=\"[^\"]*\")*)\s*")
TICKS = re.compile(r"`{3,}|~{3,}")
ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
INCLUDE = re.compile(r'-+8<-+\s+"(?P<path>[^":]+)(?::(?P<section>[\w-]+))?"')
MARK = re.compile(r"[ \t]*#\s*-+8<-+\s*\[(?P<edge>start|end):(?P<name>[\w-]+)\][ \t]*\n?")


class FenceError(ValueError):
    """A fence says something that cannot be done; the message says what to write."""


@dataclass(frozen=True)
class Code:
    """One fence of a page."""

    start: int  # offsets of the fence in the page
    end: int
    line: int  # of the fence in the page
    language: str
    attributes: Mapping[str, str]
    text: str  # padded with empty lines, so that its line numbers are those of `path`
    shown: str  # what a reader sees: no padding, no marks of sections
    path: str  # of the file that the code comes from: a snippet, or the page itself
    section: str = ""
    sections: tuple[str, ...] = ()  # all that the snippet has
    expected: str | None = field(default=None, repr=False)  # what the snippet's .out holds

    @property
    def runs(self) -> bool:
        return self.attributes.get("exec") == "on"

    @property
    def first(self) -> int:
        """The line of its file that its first line is."""
        return len(self.text) - len(self.text.lstrip("\n")) + 1

    @property
    def needs_gpu(self) -> bool:
        return self.attributes.get("on") == "gpu"

    @property
    def timeout(self) -> float | None:
        """Seconds that it may run, if it says so itself."""
        return float(self.attributes["timeout"]) if "timeout" in self.attributes else None

    @property
    def included(self) -> bool:
        return self.expected is not None


def read(block: Block, page: str, line: int, root: Path, snippets: str) -> Code:
    """Parse a fence; raise FenceError where it cannot mean what its author wants."""
    rows = block.text.rstrip("\n").split("\n")
    ticks = TICKS.search(rows[0])
    if ticks is None or len(rows) < 2 or rows[-1].rstrip()[block.indent :] != ticks[0]:
        raise FenceError("the fence is never closed")
    language, attributes = _info(block.info)
    if rows[0].lstrip().startswith(">") and attributes.get("exec") == "on":
        raise FenceError("code in a quotation does not run: put the fence outside of it")
    body = "".join(
        row[min(block.indent, len(row) - len(row.lstrip(" "))) :]
        for row in block.text.splitlines(keepends=True)[1:-1]
    )
    if "8<-" not in body:
        text = "\n" * line + body
        return Code(block.start, block.end, line, language, attributes, text, body, page)
    include = INCLUDE.fullmatch(body.strip())
    if not include:
        raise FenceError('an include stands alone in its fence: --8<-- "file.py:section"')
    name = f"{snippets}/{include['path']}"
    file = root / name
    if not file.is_file():
        raise FenceError(f"{name} does not exist")
    source = _text(file, name)
    marks = list(MARK.finditer(source))
    sections = tuple(m["name"] for m in marks if m["edge"] == "start")
    start, end = _span(source, marks, include["section"], name)
    if include["section"] is None:
        sections = ()
    output = file.with_suffix(".out")
    runs = attributes.get("exec") == "on"
    if runs and not output.is_file():
        raise FenceError(f"{output.relative_to(root)} is missing: python {name} > its output there")
    return Code(
        block.start,
        block.end,
        line,
        language,
        attributes,
        "\n" * source.count("\n", 0, start) + source[start:end],
        MARK.sub("", source[start:end]).strip("\n") + "\n",
        name,
        include["section"] or "",
        sections,
        _text(output, output.relative_to(root).as_posix()) if runs else None,
    )


def _text(file: Path, name: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise FenceError(f"{name}:{line}: is not UTF-8") from None
    except OSError as error:
        raise FenceError(f"{name}: cannot be read: {error.strerror}") from None


def _info(info: str) -> tuple[str, dict[str, str]]:
    found = INFO.fullmatch(info)
    if not found:
        raise FenceError(f'cannot read the fence\'s attributes {info!r}: write name="value"')
    language, attributes = found["language"], dict(ATTRIBUTE.findall(found["attributes"]))
    for name, value in attributes.items():
        if name not in ATTRIBUTES:
            known = ", ".join(ATTRIBUTES)
            raise FenceError(f"a fence has no attribute {name!r}; it may have {known}")
        if ATTRIBUTES[name] and value not in ATTRIBUTES[name]:
            raise FenceError(
                f'{name}="{value}" means nothing: write {name}="{ATTRIBUTES[name][0]}"'
            )
    if not re.fullmatch(r"\d*\.?\d+", attributes.get("timeout", "1")):
        raise FenceError(f'timeout="{attributes["timeout"]}" is not a number of seconds')
    if language in RUNNABLE and "exec" not in attributes:
        raise FenceError('Python that is not run: write exec="on", or call it text')
    if language not in RUNNABLE and "exec" in attributes:
        raise FenceError(f"cannot run {language or 'text'}: only Python runs")
    return language, attributes


def _span(
    source: str, marks: list[re.Match[str]], section: str | None, name: str
) -> tuple[int, int]:
    if section is None:
        return 0, len(source)
    at = {(m["edge"], m["name"]): m for m in marks}
    try:
        return at["start", section].end(), at["end", section].start()
    except KeyError:
        known = ", ".join(m["name"] for m in marks if m["edge"] == "start") or "none"
        raise FenceError(f"{name} has no section {section!r}; it has {known}") from None
