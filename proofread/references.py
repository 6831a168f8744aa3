"""Cross-references: chapters exist, links go where they say, and numbered things count up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from proofread import rules
from proofread.blocks import Block
from proofread.inline import Inline
from proofread.marks import Finding
from proofread.settings import Settings

LABEL = re.compile(
    rf"[\s#*_]*(?P<part>{rules.LOCAL})\s(?P<number>\d+(?:\.\d+)?)\s?[.:·]"
    rf"|\s*/{{3,}}\s*(?P<kind>{rules.LOCAL})-caption\s*\|\s*(?P<caption>\d+(?:\.\d+)?)",
    re.I,
)
TARGET = re.compile(r"(?:\.\./)?(?:\w+/)?(\d+)-")


def check(
    path: str, source: str, blocks: Sequence[Block], lexed: Sequence[Inline], settings: Settings
) -> list[Finding]:
    """Everything on a page that points somewhere else than it says."""
    file = re.match(r"(\d+)-", PurePath(path).name)
    chapter = int(file[1]) if file else None
    pairs = list(zip(blocks, lexed, strict=True))
    found, counted = _labels(pairs, chapter)
    for block, inline in pairs:
        found += _mentions(block, inline, chapter, counted, settings)
        found += _links(inline)
        for at, key in inline.notes:
            if key not in settings.sources and f"[^{key}]:" not in source:
                found.append(_finding(at, f"no note {key!r} on this page or in the bibliography"))
    title = re.search(r"(?m)^# (\d+)\. ", source)
    if title and chapter is not None and int(title[1]) != chapter:
        found.append(_finding(title.start(), f"says {title[1]}, the file says {chapter}"))
    return found


def _labels(
    pairs: Sequence[tuple[Block, Inline]], chapter: int | None
) -> tuple[list[Finding], dict[str, int]]:
    """Figures, tables, exercises and steps, which count up from 1 within a page."""
    found, counted = [], dict[str, int]()
    for block, inline in pairs:
        text = block.text if block.kind == "caption" else inline.masked
        own = LABEL.match(text)
        if not own or block.kind not in ("heading", "title", "paragraph", "caption"):
            continue
        part = (own["part"] or own["kind"]).lower()
        number = own["number"] or own["caption"]
        counted[part] = counted.get(part, 0) + 1
        wanted = f"{chapter}.{counted[part]}" if "." in number else str(counted[part])
        if number != wanted:
            at = block.start + own.start("number" if own["number"] else "caption")
            found.append(_finding(at, f"{part} {number} should be {part} {wanted}"))
    return found, counted


def _mentions(
    block: Block, inline: Inline, chapter: int | None, counted: dict[str, int], settings: Settings
) -> Iterator[Finding]:
    """Chapters, and this page's figures, tables, exercises and steps, where prose names them."""
    for mention in rules.REFERENCE.finditer(inline.masked):
        part = mention["part"].lower().removesuffix("s")
        for number in re.findall(r"\d+(?:\.\d+)?", mention["numbers"]):
            head, dot, tail = number.partition(".")
            exists = True
            if part == "chapter":
                exists = int(head) in settings.chapters
            elif part in rules.LOCAL.split("|") and (not dot or int(head) == chapter):
                exists = 0 < int(tail if dot else head) <= counted.get(part, 0)
            elif part in rules.LOCAL.split("|"):
                exists = int(head) in settings.chapters
            if not exists:
                at = block.start + mention.start()
                yield _finding(at, f"{part} {number} does not exist")


def _links(inline: Inline) -> Iterator[Finding]:
    """[chapter 4](04-….md), not [chapter 4](05-….md)."""
    for piece in inline.pieces:
        target = TARGET.match(piece.target)
        said = re.search(r"\bchapter\s(\d+)", piece.text, re.I)
        if target and said and int(target[1]) != int(said[1]):
            yield _finding(piece.start, f"says {said[0]}, links to {piece.target}")


def _finding(offset: int, message: str) -> Finding:
    return Finding(offset, "reference", message)
