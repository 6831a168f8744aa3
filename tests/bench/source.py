"""The bench book: one file, book.md, that holds all its pages, its module, its data; and edits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"```python exec=\"on\"[^\n]*\n(.*?)```\n", re.S)
INCLUDE = re.compile(r"--8<-- \"([\w/]+\.py):(\w+)\"\n")
CLAIM = re.compile(r"<!--.*?-->", re.S)


@dataclass(frozen=True)
class Edit:
    """What an author changes between two builds."""

    name: str
    file: str
    old: str
    new: str
    prose: bool = False  # it changes what a page says, and not what its code gives


EDITS = (  # one upon the other, in this order
    Edit("block edited", "pages/02-scale.md", "spread = 4000, 4", "spread = 5000, 4"),
    Edit(
        "prose edited",
        "pages/06-heads.md",
        "no number is copied",
        "not a number is copied",
        prose=True,
    ),
    Edit("data edited", "data/words.csv", "mat,5,3\n", "mat,5,3\nagain,22,5\n"),
    Edit("module edited", "lesson/telling.py", "DIGITS = 4", "DIGITS = 5  # was 4"),
)


@dataclass(frozen=True)
class Part:
    """A piece of a page: prose in Markdown, or a block of code with its includes resolved."""

    text: str
    code: bool


@dataclass(frozen=True)
class Book:
    files: Mapping[str, str]  # path -> text

    @property
    def pages(self) -> dict[str, str]:
        """Stem -> Markdown, as our own builder reads it."""
        return {Path(path).stem: text for path, text in self.named("pages/").items()}

    def named(self, folder: str) -> dict[str, str]:
        return {path: text for path, text in self.files.items() if path.startswith(folder)}

    def parts(self, page: str) -> list[Part]:
        pieces = FENCE.split(self.pages[page])
        return [
            Part(INCLUDE.sub(self._included, text) if at % 2 else text.strip("\n"), bool(at % 2))
            for at, text in enumerate(pieces)
            if text.strip()
        ]

    def blocks(self, page: str) -> list[str]:
        return [part.text for part in self.parts(page) if part.code]

    def edited(self, edit: Edit) -> Book:
        text = self.files[edit.file]
        if text.count(edit.old) != 1:
            raise ValueError(f"{edit.file} has {edit.old!r} {text.count(edit.old)} times, not once")
        return Book({**self.files, edit.file: text.replace(edit.old, edit.new)})

    def _included(self, found: re.Match[str]) -> str:
        snippet = self.files[f"snippets/{found[1]}"]
        start, end = (f"# --8<-- [{edge}:{found[2]}]\n" for edge in ("start", "end"))
        return snippet.partition(start)[2].partition(end)[0]


def load(file: Path = Path(__file__).with_name("book.md")) -> Book:
    pieces = re.split(r"(?m)^=== (\S+)\n", file.read_text(encoding="utf-8"))
    return Book(dict(zip(pieces[1::2], pieces[2::2], strict=True)))


def write(files: Mapping[str, str], folder: Path) -> None:
    """Write what differs from what is there, so that the rest keeps its time."""
    for name, text in files.items():
        file = folder / name
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
