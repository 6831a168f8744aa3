"""The table of contents: every chapter and every lab of the book, written or still to be."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any


@dataclass(frozen=True)
class Chapter:
    file: str  # 07-worked-example
    title: str
    says: str  # what it is about, in a sentence or two
    written: bool
    lab: bool = False

    @property
    def number(self) -> int:
        return int(self.file.partition("-")[0])

    @property
    def plan(self) -> str:
        """What a link to it says while it is only planned."""
        return f"{self.title} (not written yet)"

    @property
    def source(self) -> str:
        return f"labs/{self.file}.py" if self.lab else f"chapters/{self.file}.md"

    @property
    def address(self) -> str:
        return f"{self.source.rpartition('.')[0]}/"

    @property
    def place(self) -> str:
        """Its id in the contents."""
        return f"{'lab' if self.lab else 'chapter'}-{self.number}"


@dataclass(frozen=True)
class Part:
    title: str
    chapters: tuple[Chapter, ...]
    number: int = 0  # 0 for the labs

    @property
    def name(self) -> str:
        return f"Part {_roman(self.number)} · {self.title}" if self.number else self.title


@dataclass(frozen=True)
class Contents:
    parts: tuple[Part, ...]
    labs: Part = Part("Labs", ())

    def navigation(self) -> list[dict[str, list[str]]]:
        """The pages that are written, part by part, as MkDocs lists them."""
        written = {
            part.name: [one.source for one in part.chapters if one.written]
            for part in (*self.parts, self.labs)
        }
        return [{name: pages} for name, pages in written.items() if pages]

    def chapter(self, path: str) -> Chapter | None:
        """The chapter that a path or link ends in, if it is one."""
        found = self.find(path)
        return found if found and not found.lab else None

    def find(self, path: str) -> Chapter | None:
        """The chapter or lab that a path or link ends in."""
        every = (one for part in (*self.parts, self.labs) for one in part.chapters)
        name = PurePosixPath(path.partition("#")[0]).name
        return next((one for one in every if one.source.endswith(f"/{name}")), None)


def load(docs: Path) -> Contents:
    table = tomllib.loads((docs / "contents.toml").read_text(encoding="utf-8"))

    def listed(entries: Iterable[Mapping[str, Any]], lab: bool = False) -> tuple[Chapter, ...]:
        plans = (Chapter(**entry, written=False, lab=lab) for entry in entries)
        return tuple(replace(plan, written=(docs / plan.source).is_file()) for plan in plans)

    parts = tuple(
        Part(part["title"], listed(part["chapters"]), number)
        for number, part in enumerate(table["part"], 1)
    )
    return Contents(parts, Part("Labs", listed(table.get("lab", ()), lab=True)))


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]
