"""What a change does to the book: the pages and the numbers that differ between two builds.

    python -m book.changes OLD NEW

OLD and NEW are sites, or archives of their `claims.json` and `search/search_index.json`. The answer
is Markdown. It may be about a stranger's site, so nothing from the files is trusted: archives are
read in memory, up to a size, and all text comes as code, in which no mark, mention or link works.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

CLAIMS, INDEX = "claims.json", "search/search_index.json"
LARGEST = 32 * 2**20  # bytes of a file that is read
WIDEST = 80  # characters of a quotation
NUMBERS = 20  # listed of a page
LONGEST = 40_000  # characters of the answer: GitHub takes 65,536
MOST = 2_000  # claims of a page that are compared


class Unreadable(Exception):
    """Something that is no build of the book, with what is wrong with it."""


@dataclass
class Page:
    """What a reader sees of a page: its text, and its claims as (claim, says)."""

    text: list[str] = field(default_factory=list)
    claims: list[tuple[str, str]] = field(default_factory=list)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        old, new = (read(Path(one)) for one in arguments)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 1
    print(told(old, new))
    return 0


def told(old: dict[str, Page], new: dict[str, Page]) -> str:
    """The pages that differ, each with its numbers that do."""
    names = [name for name in sorted(old | new) if old.get(name) != new.get(name)]
    if not names:
        return "No page and no number changes."
    rows = [f"{_count(len(names), 'page')} of the book differ{'s' * (len(names) == 1)}:", ""]
    size = 0
    for number, name in enumerate(names):
        page = _page(name, old.get(name), new.get(name))
        size += len("\n".join(page))
        if size > LONGEST:
            return "\n".join([*rows, *_rest(len(names) - number, "page", "")])
        rows += page
    return "\n".join(rows)


def read(build: Path) -> dict[str, Page]:
    """The pages of a build, by their address."""
    pages: dict[str, Page] = {}
    try:
        for path, page in _file(build, CLAIMS)["pages"].items():
            pages[_address(str(path))] = Page(claims=list(_claims(page["claims"])))
        for part in _file(build, INDEX)["docs"]:
            address = str(part["location"]).partition("#")[0]
            page = pages.setdefault(address, Page())
            page.text += [str(part["title"]), str(part["text"])]
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise Unreadable(f"{build} is no build of the book: {type(error).__name__}") from None
    return pages


def _file(build: Path, name: str) -> Any:
    """A JSON file of a site or an archive."""
    try:
        if build.is_dir():
            content = (build / name).read_bytes()
        else:
            with ZipFile(build) as archive, archive.open(name) as file:
                content = file.read(LARGEST + 1)
    except (BadZipFile, KeyError, NotImplementedError, OSError, RuntimeError) as error:
        raise Unreadable(f"{build} has no {name} to read: {type(error).__name__}") from None
    if len(content) > LARGEST:
        raise Unreadable(f"{name} of {build} has more than {LARGEST} bytes")
    return json.loads(content)


def _address(path: str) -> str:
    """Where the site shows a source file: docs/chapters/07-x.md is at chapters/07-x/."""
    if not path.startswith("docs/"):
        return path
    address = path.removeprefix("docs/").removesuffix(".md").removesuffix(".py") + "/"
    return "" if address == "index/" else address.removesuffix("index/")


def _claims(claims: Iterable[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for claim in claims:
        says = claim["says"]
        yield str(claim["claim"]), " ".join(map(str, says)) if isinstance(says, list) else str(says)


def _page(name: str, old: Page | None, new: Page | None) -> list[str]:
    shown = _code(name or "the first page")
    if old is None or new is None:
        return [f"- {shown} is {'new' if new else 'gone'}"]
    numbers = list(_numbers(old.claims, new.claims))
    rows = [f"- {shown}" + (": its text" if not numbers else "")]
    rows += [f"  - {number}" for number in numbers[:NUMBERS]]
    return [*rows, *_rest(len(numbers) - NUMBERS, "number", "  ")]


def _numbers(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> Iterator[str]:
    """Claims are the same if their expressions are, in order; then what they say counts."""
    old, new = old[:MOST], new[:MOST]
    before, after = ([claim for claim, _ in side] for side in (old, new))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for (claim, was), (_, says) in zip(old[a:b], new[c:d], strict=True):
                if was != says:
                    yield f"{_code(was)} is now {_code(says)}, by {_code(claim)}"
        else:
            for claim, was in old[a:b]:
                yield f"{_code(was)} is gone, which was by {_code(claim)}"
            for claim, says in new[c:d]:
                yield f"{_code(says)} is new, by {_code(claim)}"


def _code(text: str) -> str:
    """A code span: one line, no mark of its own, nothing invisible, not too wide."""
    shown = "".join(" " if c in "\r\n\t" else "\ufffd" if _hidden(c) else c for c in text)
    shown = " ".join(shown.replace("`", "'").split())
    if len(shown) > WIDEST:
        shown = shown[: WIDEST - 1] + "…"
    return f"`{shown or '(nothing)'}`"


def _hidden(character: str) -> bool:
    """Controls, what turns the direction of text, lone surrogates, separators of lines."""
    return unicodedata.category(character)[0] == "C" or character in "\u2028\u2029"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _rest(number: int, what: str, indent: str) -> list[str]:
    return [f"{indent}- and {_count(number, 'more ' + what)}"] if number > 0 else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
