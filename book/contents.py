"""The table of contents: every chapter of the book, written or still to be."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Chapter:
    file: str  # 07-worked-example
    title: str
    says: str  # what it is about, in a sentence or two
    written: bool

    @property
    def number(self) -> int:
        return int(self.file.partition("-")[0])

    @property
    def source(self) -> str:
        return f"chapters/{self.file}.md"


@dataclass(frozen=True)
class Part:
    title: str
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True)
class Contents:
    parts: tuple[Part, ...]

    def chapter(self, path: str) -> Chapter | None:
        """The chapter that a path or link ends in, if it is one."""
        stem = PurePosixPath(path.partition("#")[0]).stem
        return next((c for part in self.parts for c in part.chapters if c.file == stem), None)


def load(docs: Path) -> Contents:
    table = tomllib.loads((docs / "contents.toml").read_text(encoding="utf-8"))
    return Contents(
        tuple(
            Part(
                part["title"],
                tuple(
                    Chapter(**entry, written=(docs / "chapters" / f"{entry['file']}.md").is_file())
                    for entry in part["chapters"]
                ),
            )
            for part in table["part"]
        )
    )
