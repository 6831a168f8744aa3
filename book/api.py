"""The API page: every public name of the packages, from what its source says of it.

griffe reads the source and imports nothing: no torch for a page of text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

import griffe

from book import bibliography, contents, docstrings, signatures
from book.contents import Chapter
from book.docstrings import Link
from book.rendering import ROOT
from book.signatures import Thing

PACKAGES = ("attnref", "kernels")
TAUGHT = ROOT / "docs/reference/api.toml"
UP = "../../"  # from the page to the site's root


@dataclass(frozen=True)
class Entry:
    """A function, class or constant that readers may use."""

    path: str  # as they import it: attnref.masks.causal
    thing: Thing
    chapter: Chapter | None  # that teaches it

    @property
    def name(self) -> str:
        return self.path.removeprefix("attnref.")

    @property
    def file(self) -> str:
        return Path(str(self.thing.filepath)).relative_to(ROOT).as_posix()

    @property
    def members(self) -> list[Thing]:
        """Of a class: what has a description."""
        return [
            one
            for one in self.thing.members.values()
            if isinstance(one, griffe.Function | griffe.Attribute)
            and (one.is_special or not one.name.startswith("_"))
            and says(one)
        ]


def entries() -> list[Entry]:
    """All of them: package by package, and file by file in the order of the chapters."""
    taught, found = _taught(), list[Entry]()
    for package in PACKAGES:
        module = griffe.load(package, search_paths=[ROOT], allow_inspection=False)
        assert isinstance(module, griffe.Module)
        own = [Entry(path, one, _chapter(path, one, taught)) for path, one in _public(module)]
        first = {e.file: taught[stem].number for e in own if (stem := Path(e.file).stem) in taught}
        found += sorted(own, key=lambda e: (first.get(e.file, 0), e.file, e.thing.lineno or 0))
    return found


def says(thing: griffe.Object) -> str:
    """A docstring; of a constant, the comment on its line."""
    if thing.docstring:
        return thing.docstring.value
    if not isinstance(thing, griffe.Attribute) or not thing.lineno:
        return ""
    lines = Path(str(thing.filepath)).read_text(encoding="utf-8").splitlines()
    comment = lines[thing.lineno - 1].partition("  # ")[2]
    return f"{comment[:1].upper()}{comment[1:]}." if comment else ""


def listing() -> str:
    """The page's entries as Markdown: a heading a file, a heading a name."""
    found, sources = entries(), bibliography.by_arxiv()
    parts = [_index(found)]
    for file, group in groupby(found, key=lambda entry: entry.file):
        own = list(group)
        module = own[0].thing.module
        title = module.path if file.endswith("/__init__.py") else file
        link = _links(own[0], found, sources)
        parts += [f"## `{title}` {{ #{module.path.replace('.', '-')} }}"]
        parts += [f'<div class="api">{docstrings.html(says(module), link)}</div>']
        for entry in own:
            parts += [f"### `{entry.name}` {{ #{entry.path} }}"]
            parts += [_entry(entry, _links(entry, found, sources))]
    return "\n\n".join(parts)


def _public(module: griffe.Module) -> Iterator[tuple[str, Thing]]:
    """What `__all__` names, or else what has no underscore; of a file, what that says is public."""
    made = [*module.functions.values(), *module.classes.values()]
    plain = [one.name for one in made if not one.is_alias and not one.name.startswith("_")]
    for name in plain if module.exports is None else map(str, module.exports):
        path = f"{module.path}.{name}"
        thing = module.modules_collection.get_member(module.imports.get(name, path))
        if isinstance(thing, griffe.Module):
            yield from _public(thing)
        else:
            yield path, thing


def _taught() -> dict[str, Chapter]:
    """Names and files, and the chapters that teach them."""
    book = contents.load(ROOT / "docs")
    chapters = {chapter.number: chapter for part in book.parts for chapter in part.chapters}
    table = tomllib.loads(TAUGHT.read_text(encoding="utf-8"))
    return {name: chapters[int(number)] for number, names in table.items() for name in names}


def _chapter(path: str, thing: Thing, taught: dict[str, Chapter]) -> Chapter | None:
    keys = (path.removeprefix("attnref."), path.startswith("attnref.") and thing.module.name)
    return next((taught[key] for key in keys if key in taught), None)


def _entry(entry: Entry, link: Link) -> str:
    caption = f'<a href="source:{entry.file}#L{entry.thing.lineno}">{entry.file}</a>'
    if entry.chapter:
        caption += f" {_taught_in(entry.chapter, f'Chapter {entry.chapter.number}')}"
    rows = [
        f'<dt id="{entry.path}.{one.name}">{signatures.html(one)}</dt>'
        f"<dd>{docstrings.html(says(one), link)}</dd>"
        for one in entry.members
    ]
    members = f'<dl class="members">{"".join(rows)}</dl>' if rows else ""
    return (
        '<div class="api"><figure class="run">'
        f"<figcaption data-search-exclude>{caption}</figcaption>"
        f"{signatures.html(entry.thing)}</figure>"
        f"{docstrings.html(says(entry.thing), link)}{members}</div>"
    )


def _index(found: list[Entry]) -> str:
    """The chapters, and the names that each one teaches."""
    names: dict[int, list[str]] = {}
    chapters: dict[int, Chapter] = {}
    for entry in found:
        if entry.chapter:
            chapters[entry.chapter.number] = entry.chapter
            one = f'<a href="#{entry.path}"><code>{entry.name}</code></a>'
            names.setdefault(entry.chapter.number, []).append(one)
    rows = (
        f"<dt>{_taught_in(chapter, f'{number} {escape(chapter.title)}')}</dt>"
        f"<dd>{' '.join(names[number])}</dd>"
        for number, chapter in sorted(chapters.items())
    )
    return f'<dl class="index">{"".join(rows)}</dl>'


def _taught_in(chapter: Chapter, text: str) -> str:
    if chapter.written:
        return f'<a href="{UP}{chapter.address}" title="{escape(chapter.title)}">{text}</a>'
    address = f"{UP}#{chapter.place}"
    return f'<a class="unwritten" href="{address}" title="{escape(chapter.plan)}">{text}</a>'


def _links(entry: Entry, found: list[Entry], sources: dict[str, str]) -> Link:
    """What a docstring mentions: other entries, and papers."""
    paths = {one.path for one in found} - {entry.path}
    thing, package = entry.thing, entry.path.partition(".")[0]
    own = () if isinstance(thing, griffe.Attribute) else [p.name for p in thing.parameters]

    def link(text: str) -> str | None:
        if text.startswith("arXiv:"):
            number = text.removeprefix("arXiv:")
            key = sources.get(number)
            return f"../bibliography/#{key}" if key else f"https://arxiv.org/abs/{number}"
        name = text.partition("(")[0]
        known = (f"{thing.module.path}.{name}", f"{package}.{name}", name)
        return next((f"#{one}" for one in known if one in paths and name not in own), None)

    return link
