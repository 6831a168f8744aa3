"""What other pages may refer to on a page: its sections, figures, tables, exercises and steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePath

from proofread.reading import rules
from proofread.reading.blocks import Block
from proofread.reading.cutter import cut
from proofread.settings import Settings

LABEL = re.compile(
    rf"[\s#*_]*(?P<part>{rules.LOCAL})\s(?P<number>\d+(?:\.\d+)?)\s?[.:·]"
    rf"|\s*/{{3,}}\s*(?P<kind>{rules.LOCAL})-caption\s*\|\s*(?P<caption>\d+(?:\.\d+)?)",
    re.I,
)
LABELLED = ("heading", "title", "paragraph", "caption")  # kinds of block that may open with a label


def is_section(block: Block) -> bool:
    return block.kind == "heading" and block.level == 2


def chapter_of(path: str) -> int | None:
    """The number in a chapter's file name."""
    file = re.match(r"(\d+)-.*\.md$", PurePath(path).name)
    return int(file[1]) if file else None


def elsewhere(path: str, chapter: int, settings: Settings) -> Mapping[str, int] | None:
    """How many of each part another chapter has; None while it is not written."""
    file = find(path, f"{settings.chapters[chapter]}.md", settings)
    if file is None:
        return None
    counted = Counter[str]()
    for block in cut(file.read_text(encoding="utf-8")):
        label = LABEL.match(block.text) if block.kind in LABELLED else None
        if is_section(block):
            counted["section"] += 1
        elif label:
            counted[(label["part"] or label["kind"]).lower()] += 1
    return counted


def find(path: str, name: str, settings: Settings) -> Path | None:
    """A chapter's file: beside the page, or in the folder `chapters` beside or above it."""
    folder = (settings.root / path).parent
    places = (folder, folder / "chapters", folder.parent / "chapters")
    return next((place / name for place in places if (place / name).is_file()), None)
