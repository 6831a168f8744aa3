"""Makes a new chapter, or whatever else a project has a template for.

A template is a folder, named after what it makes, that mirrors the project. Its file `PATH.new`
becomes PATH. Its file `PATH.insert` adds lines to PATH: the first line says where, `before: TEXT`
(the first line there that begins with TEXT) or `after: TEXT` (the last), and the rest what. NOTES
is said at the end. In paths and texts, `{{name}}` and its like are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from proofread.filling import ScaffoldError, values
from proofread.settings import Settings

BLANK = re.compile(r"\{\{(\w+)\}\}")
WHERE = re.compile(r"(before|after): (.+)\n")


@dataclass
class Plan:
    """What would be written; nothing is until `write`."""

    root: Path
    new: dict[str, str] = field(default_factory=dict)  # path from the root -> text
    changed: dict[str, str] = field(default_factory=dict)
    notes: str = ""

    def told(self) -> str:
        rows = [f"new      {path}" for path in self.new]
        return "\n".join([*rows, *(f"changed  {path}" for path in self.changed)])


def plan(kind: str, name: str, settings: Settings, title: str = "", says: str = "") -> Plan:
    """Fill in a template, and see that nothing stands in its way."""
    template = _template(kind, settings)
    asked = {blank for text in (*template, *template.values()) for blank in BLANK.findall(text)}
    given = values(name, asked, settings, title, says)
    made = Plan(settings.root)
    for source, text in template.items():
        path, text = _filled(source, given, source), _filled(text, given, source)
        target, ending = path.rpartition(".")[::2]
        if path == "NOTES":
            made.notes = text
        elif ending == "new":
            if (settings.root / target).exists():
                raise ScaffoldError(f"{target} exists already: choose another name, or remove it")
            made.new[target] = text
        elif ending == "insert":
            before = _there(settings.root / target, target)
            if (after := _inserted(before, text, target, f"{kind}/{source}")) != before:
                made.changed[target] = after
        else:
            raise ScaffoldError(f"{kind}/{source} of the templates is neither .new nor .insert")
    return made


def write(made: Plan) -> None:
    """Write all of a plan, or, if a file cannot be written, nothing."""
    before: list[tuple[Path, bytes | None]] = []
    folders: list[Path] = []
    try:
        for name, text in {**made.new, **made.changed}.items():
            path = made.root / name
            folders += [folder for folder in path.parents if not folder.exists()]
            path.parent.mkdir(parents=True, exist_ok=True)
            old = path.read_bytes() if name in made.changed else None
            before.append((path, old))
            ends = "\r\n" if old and b"\r\n" in old else "\n"
            path.write_text(text, encoding="utf-8", newline=ends)
    except OSError as error:
        for path, old in before:
            path.unlink(missing_ok=True) if old is None else path.write_bytes(old)
        for folder in sorted(folders, reverse=True):
            if folder.exists():
                folder.rmdir()
        raise ScaffoldError(f"{error.filename}: {error.strerror}; nothing was written") from None


def _template(kind: str, settings: Settings) -> dict[str, str]:
    """Its files, each by its path in the template."""
    if not settings.templates:
        raise ScaffoldError("[tool.proofread] of pyproject.toml names no folder of templates")
    folder = settings.root / settings.templates
    kinds = sorted(path.name for path in folder.glob("*/"))
    if kind not in kinds:
        raise ScaffoldError(f"there is no template {kind!r}, but {', '.join(kinds) or 'none'}")
    files = sorted(path for path in (folder / kind).rglob("*") if path.is_file())
    return {
        path.relative_to(folder / kind).as_posix(): path.read_text(encoding="utf-8")
        for path in files
    }


def _filled(text: str, given: Mapping[str, str], source: str) -> str:
    if unknown := set(BLANK.findall(text)) - given.keys():
        told = ", ".join(f"{{{{{blank}}}}}" for blank in sorted(unknown))
        raise ScaffoldError(f"{told} in {source} of the template has no value here")
    return BLANK.sub(lambda blank: given[blank[1]], text)


def _there(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ScaffoldError(f"{name}, where it would be inserted, does not exist yet") from None


def _inserted(text: str, insertion: str, target: str, source: str) -> str:
    """A file's text with an insertion in its place, unless it holds it already."""
    where = WHERE.match(insertion)
    if not where:
        raise ScaffoldError(f"{source} of the templates begins with no `before: …` or `after: …`")
    lines, added = text.splitlines(keepends=True), insertion[where.end() :]
    if added in text:
        return text
    places = [n for n, line in enumerate(lines) if line.startswith(where[2])]
    if not places:
        raise ScaffoldError(f"{target} has no line that begins with {where[2]!r} to go {where[1]}")
    at = places[0] if where[1] == "before" else places[-1] + 1
    return "".join([*lines[:at], added, *lines[at:]])
