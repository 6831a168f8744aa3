"""The page that is being rendered, for the Markdown extensions, which are told only its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from book.contents import Contents
from proofread.proof import Proof

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Rendering:
    proof: Proof
    contents: Contents
    up: str = "../"  # from the page's address to the site's root
    repository: str = ""  # where the site's source is
    shown: set[int] = field(default_factory=set)  # blocks whose output is on the page

    @property
    def chapter(self) -> int | None:
        found = self.contents.chapter(self.proof.page.path)
        return found.number if found else None


current: Rendering | None = None
