"""Cross-references: chapters exist, links go where they say, and numbered things count up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from proofread.marks import Finding
from proofread.reading import rules, sentences
from proofread.reading.blocks import Block
from proofread.reading.sections import LABEL, LABELLED, chapter_of, elsewhere, is_section
from proofread.reading.spans import Inline
from proofread.settings import Settings

TARGET = re.compile(r"(?:\.\./)?(?:\w+/)?(\d+)-")
PARTS = {"section", *rules.LOCAL.split("|")}


def check(
    path: str, source: str, blocks: Sequence[Block], lexed: Sequence[Inline], settings: Settings
) -> list[Finding]:
    """Everything on a page that points somewhere else than it says."""
    chapter = chapter_of(path)
    pairs = list(zip(blocks, lexed, strict=True))
    found, counted = _labels(pairs, chapter)
    for block, inline in pairs:
        for part, number, at in _mentions(source, block, inline):
            if not _exists(part, number, path, counted, settings):
                found.append(_finding(at, f"{part} {number} does not exist"))
        found += _links(inline, path, settings)
        for at, key in inline.notes:
            noted = re.search(rf"(?m)^[ >]*\[\^{re.escape(key)}\]:", source)
            if key not in settings.sources and not noted:
                found.append(_finding(at, f"no note {key!r} on this page or in the bibliography"))
    title = re.search(r"(?m)^# (\d+)\. ", source)
    if title and chapter is not None and int(title[1]) != chapter:
        found.append(_finding(title.start(), f"says {title[1]}, the file says {chapter}"))
    return found


def _labels(
    pairs: Sequence[tuple[Block, Inline]], chapter: int | None
) -> tuple[list[Finding], dict[str, int]]:
    """Sections, and figures, tables, exercises and steps, which count up from 1 within a page."""
    found, counted = [], {"section": sum(is_section(block) for block, _ in pairs)}
    for block, inline in pairs:
        text = block.text if block.kind == "caption" else inline.masked
        own = LABEL.match(text)
        if not own or block.kind not in LABELLED:
            continue
        part = (own["part"] or own["kind"]).lower()
        number = own["number"] or own["caption"]
        counted[part] = counted.get(part, 0) + 1
        wanted = f"{chapter}.{counted[part]}" if "." in number else str(counted[part])
        if number != wanted:
            at = block.start + own.start("number" if own["number"] else "caption")
            found.append(_finding(at, f"{part} {number} should be {part} {wanted}"))
    return found, counted


def _mentions(source: str, block: Block, inline: Inline) -> Iterator[tuple[str, str, int]]:
    """Part, number and place of everything that prose refers to in this book.

    A sentence that cites a source speaks of the source's sections and figures.
    """
    for mention in rules.REFERENCE.finditer(inline.masked):
        span = sentences.cell if block.kind == "table" else sentences.around
        start, end = (block.start + at for at in span(inline.masked, mention.start()))
        cited = [at for at, _ in inline.notes]
        cited += [a for a, b in inline.comments if re.match(r"<!--\s*@", source[a:b])]
        if any(start <= at < end for at in cited):
            continue
        for number in re.findall(r"\d+(?:\.\d+)*", mention["numbers"]):
            yield mention["part"].lower().removesuffix("s"), number, block.start + mention.start()


def _exists(
    part: str, number: str, path: str, counted: Mapping[str, int], settings: Settings
) -> bool:
    """True also for a part of a chapter that is planned and not written yet."""
    head, *tail = map(int, number.split("."))
    if part == "chapter":
        return not tail and head in settings.chapters
    if part == "lab":
        return not tail and head in settings.labs
    if part not in PARTS:
        return True
    if len(tail) > 1:
        return False
    if not tail:
        return 0 < head <= counted.get(part, 0)
    if head != chapter_of(path):
        if head not in settings.chapters:
            return False
        there = elsewhere(path, head, settings)
        return there is None or 0 < tail[0] <= there.get(part, 0)
    return 0 < tail[0] <= counted.get(part, 0)


def _links(inline: Inline, path: str, settings: Settings) -> Iterator[Finding]:
    """[chapter 4](04-….md), not [chapter 4](05-….md); and the file exists or is planned."""
    for piece in inline.pieces:
        target = TARGET.match(piece.target)
        said = re.search(r"\bchapter\s(\d+)", piece.text, re.I)
        if target and said and int(target[1]) != int(said[1]):
            yield _finding(piece.start, f"says {said[0]}, links to {piece.target}")
        file = PurePosixPath(piece.target.partition("#")[0])
        planned = file.stem in settings.chapters.values()
        there = planned or ((settings.root / path).parent / file).is_file()
        if file.suffix == ".md" and ":" not in piece.target and not there:
            yield _finding(piece.start, f"links to {file}, which does not exist")


def _finding(offset: int, message: str) -> Finding:
    return Finding(offset, "reference", message)
