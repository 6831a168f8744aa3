"""What jobs hand to each other: the two actions for artifacts, in a folder, as GitHub has them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

RAN = "ran, in a stand-in"


def upload(options: dict[str, str], work: Path, shelf: Path) -> str:
    """Paths lose what they have in common, and what is hidden stays, unless asked for."""
    paths = [work / line for line in options["path"].split()]
    found = [file for path in paths for file in _files(path, work, options)]
    if not found and options.get("if-no-files-found") != "ignore":
        return f"FAILED: {' '.join(options['path'].split())} has no files"
    top = paths[0] if len(paths) == 1 else Path(os.path.commonpath(paths))
    for file in found:
        target = shelf / options["name"] / file.relative_to(top)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return RAN


def download(options: dict[str, str], work: Path, shelf: Path) -> str:
    """One artifact by its name, or all that fit a pattern, into one folder."""
    wanted = options.get("name") or options["pattern"]
    found = [folder for folder in sorted(shelf.glob("*")) if fnmatch(folder.name, wanted)]
    if not found and "name" in options:
        return "not run: what hands it out did not run here"
    for folder in found:
        shutil.copytree(folder, work / options["path"], dirs_exist_ok=True)
    return RAN


def _files(path: Path, work: Path, options: dict[str, str]) -> Iterator[Path]:
    if path.is_file():
        yield path
    for file in path.rglob("*"):
        hidden = any(part.startswith(".") for part in file.relative_to(work).parts)
        if file.is_file() and (options.get("include-hidden-files") or not hidden):
            yield file
