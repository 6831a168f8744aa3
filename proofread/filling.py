"""What the blanks of a template stand for: a name in its forms, and a chapter of the contents.

A template that mentions {{file}} makes a chapter, one that mentions {{chapter}} goes into one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from keyword import iskeyword

from proofread.page import kind, parse
from proofread.settings import Settings, planned, read

MOST = 30  # characters of a name, which becomes part of headings and expressions
NAME = re.compile(r"(?:ch(?P<chapter>\d+)/)?(?:(?P<number>\d+)-)?(?P<words>[a-z][a-z0-9_-]*)")
UNSAID = "Say here, in a sentence, what it is about."

Entry = Mapping[str, str]


class ScaffoldError(ValueError):
    """Nothing can be made, and nothing was; the message says why."""


def values(
    name: str, asked: Collection[str], settings: Settings, title: str = "", says: str = ""
) -> dict[str, str]:
    """The value of every blank that this name gives one."""
    found = NAME.fullmatch(name)
    words = re.split("[-_]", found["words"]) if found else []
    if not found or not all(words) or len(found["words"]) > MOST:
        told = f"lower-case words with hyphens, at most {MOST} characters"
        raise ScaffoldError(f"{name!r} is no name: write {told}")
    given = {
        "name": "-".join(words),
        "snake": "_".join(words),
        "class": "".join(word.capitalize() for word in words),
        "words": " ".join(words).capitalize(),
    }
    if iskeyword(given["snake"]):
        raise ScaffoldError(f"{given['snake']} is a word of Python: choose another name")
    if "snake" in asked and find_spec(given["snake"]):  # its file would stand in that one's way
        raise ScaffoldError(f"{given['snake']} is a module of Python: choose another name")
    if "chapter" in asked:
        if not found["chapter"] or found["number"]:
            raise ScaffoldError(f"say which chapter it goes into, as in ch07/{found['words']}")
        given |= _place(_existing(int(found["chapter"]), settings), settings)
    elif found["chapter"]:
        raise ScaffoldError(f"it goes into no chapter: {name.partition('/')[2]}")
    elif "file" in asked:
        entry = _chapter(found["number"], given, settings, title, says)
        given |= _place(entry, settings)
    _refuse_numbers([given["words"], given.get("title", ""), given.get("says", "")], settings)
    return given


def _place(entry: Entry, settings: Settings) -> dict[str, str]:
    """A chapter, and the one before it."""
    number = entry["file"].partition("-")[0]
    place = {**entry, "chapter": entry["file"], "number": number, "n": str(int(number))}
    if before := settings.chapters.get(int(number) - 1):
        place |= {"before": before, "before_n": str(int(number) - 1)}
    return place


def _existing(number: int, settings: Settings) -> Entry:
    for entry in planned(read(settings.root, settings.contents)):
        if int(entry["file"].partition("-")[0]) == number:
            return entry
    raise ScaffoldError(f"{settings.contents} has no chapter {number}")


def _chapter(number: str | None, given: Entry, settings: Settings, title: str, says: str) -> Entry:
    """The chapter as it is planned, or as a plan for it would say."""
    free = max(settings.chapters, default=0) + 1
    asked = int(number) if number else None
    for entry in planned(read(settings.root, settings.contents)):
        at, _, name = entry["file"].partition("-")
        if name == given["name"] if asked is None else int(at) == asked:
            if name != given["name"]:
                raise ScaffoldError(f"chapter {asked} is {entry['file']} in {settings.contents}")
            for said, key in ((title, "title"), (says, "says")):
                if said and said != entry.get(key):
                    raise ScaffoldError(f"{settings.contents} gives its {key}: {entry.get(key)}")
            return entry
    if asked not in (None, free):
        raise ScaffoldError(f"the next chapter in {settings.contents} would be {free}")
    if any(mark in title + says for mark in '"\\\n'):
        raise ScaffoldError('write the title and what it says without " and \\')
    title, says = title or given["words"], says or UNSAID
    return {"file": f"{free:02}-{given['name']}", "title": title, "says": says}


def _refuse_numbers(texts: Collection[str], settings: Settings) -> None:
    """A heading can prove no number, and most names become one."""
    page = parse("\n\n".join(texts), "name", settings)
    for numeral in page.numerals:
        if kind(numeral) == "unlabelled":
            told = page.source[numeral.start : numeral.end]
            raise ScaffoldError(f"{told} is a number that nothing would prove: use other words")
