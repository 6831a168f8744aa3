"""Remembers what code said, so that nothing runs twice.

An entry is found by the chain of a page's blocks and the environment they ran in, and it counts
only while every project file and package that they really used is as it was. It is one JSON file
behind a hash of itself: what is cut short or spoilt is no entry. Files are replaced whole, so
builds may share a store; if it cannot be used, code simply runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from proofread.reading.fences import Code
from proofread.running import environment
from proofread.running.environment import Environment
from proofread.running.outcome import Ran
from proofread.running.said import Ask, Said, from_json, to_json, value_from_json, value_to_json
from proofread.running.tracking import Files
from proofread.values import Value

GRACE = 3600.0  # seconds after which a file that was never finished is litter


@dataclass
class Entry:
    """A block: what became of it, and what code said after it."""

    ran: Ran
    said: dict[Ask, Said] = field(default_factory=dict)
    candidates: list[Value] | None = None  # of the last block: what the program's names hold
    files: dict[str, str] = field(default_factory=dict)  # project file -> its state
    packages: dict[str, str] = field(default_factory=dict)  # distribution -> its version
    gpus: tuple[str, ...] = ()
    python: str = ""
    date: str = ""  # when it ran


def first(path: str) -> str:
    """The chain of a page before its first block."""
    return _hash(path.encode())


def link(chain: str, code: Code) -> str:
    """The chain with one more block: its code and the file it says it comes from."""
    said = [chain, code.path, code.text.lstrip("\n"), dict(code.attributes)]
    return _hash(json.dumps(said, sort_keys=True).encode())


class Store:
    """Entries in a folder. `folder` None is a store that keeps nothing."""

    def __init__(
        self,
        folder: Path | None,
        root: Path,
        limit: int = 256 * 2**20,
        where: Environment | None = None,
    ) -> None:
        self.folder, self.limit = folder, limit
        self.files = Files(root)
        self.environment = where or environment.current()
        self.used: set[Path] = set()
        self.trouble = ""  # why nothing can be kept
        self._version = cache(environment.version)

    def get(self, chain: str) -> Entry | None:
        """The entry for a chain of blocks in this environment, if it still counts."""
        path = self._path(chain)
        entry = self._read(path) if path else None
        if path is None or entry is None or not self.holds(entry.files, entry.packages):
            return None
        self.used.add(path)
        return entry

    def recording(self, chain: str) -> Entry | None:
        """An entry made on a GPU, in whatever environment, of the same code."""
        path = self._path(chain)
        found = sorted(path.parent.glob(f"{chain}-*")) if path else []
        for other in found:
            entry = self._read(other)
            if entry and entry.gpus and self.files.hold(entry.files):
                self.used.add(other)
                return entry
        return None

    def put(self, chain: str, entry: Entry) -> None:
        path = self._path(chain)
        if path is None:
            return
        body = json.dumps(entry_to_json(entry), ensure_ascii=False).encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(_hash(body).encode() + b"\n" + body)
            Path(name).replace(path)
            self.used.add(path)
        except OSError as error:
            self.trouble = f"{self.folder}: {error.strerror or error}; nothing is kept"

    def forget(self, chain: str) -> None:
        path = self._path(chain)
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()

    def holds(self, files: Mapping[str, str], packages: Mapping[str, str]) -> bool:
        """True if project files and packages are as they were."""
        versions = all(self._version(name) == v for name, v in packages.items())
        return versions and self.files.hold(files)

    def prune(self) -> None:
        """Say what is in use, and drop what was not used for longest if it is too much."""
        found: list[tuple[float, int, Path]] = []
        with contextlib.suppress(OSError):
            for path in self.used:
                with contextlib.suppress(OSError):
                    os.utime(path)
            for path in self._all():
                with contextlib.suppress(OSError):
                    status = path.stat()
                    litter = path.name.startswith(".new-")
                    if litter and time.time() - status.st_mtime > GRACE:
                        path.unlink()
                    elif not litter:
                        found.append((status.st_mtime, status.st_size, path))
        size = sum(bytes_ for _, bytes_, _ in found)
        for _, bytes_, path in sorted(found, key=lambda one: one[0]):
            if size <= self.limit or path in self.used:
                break
            with contextlib.suppress(OSError):
                path.unlink()
                size -= bytes_

    def _path(self, chain: str) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / chain[:2] / f"{chain}-{self.environment.key}.json"

    def _all(self) -> Iterator[Path]:
        if self.folder is not None:
            yield from self.folder.glob("??/*.json")
            yield from self.folder.glob("??/.new-*")
            yield from self.folder.glob("clean/*.json")

    def _read(self, path: Path) -> Entry | None:
        try:
            told, _, body = path.read_bytes().partition(b"\n")
            if told.decode() != _hash(body):
                return None
            return entry_from_json(json.loads(body))
        except FileNotFoundError:
            return None
        except OSError as error:
            self.trouble = f"{self.folder}: {error.strerror or error}; nothing is remembered"
            return None
        except (ValueError, TypeError, KeyError, IndexError):
            return None  # spoilt, or made by another version


def entry_from_json(data: Mapping[str, Any]) -> Entry:
    ran: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in data["ran"].items()
    }
    candidates = data["candidates"]
    return Entry(
        Ran(**ran),
        {Ask(source, tuple(index)): from_json(said) for source, index, said in data["said"]},
        None if candidates is None else [value_from_json(value) for value in candidates],
        data["files"],
        data["packages"],
        tuple(data["gpus"]),
        data["python"],
        data["date"],
    )


def entry_to_json(entry: Entry) -> dict[str, Any]:
    said = [[ask.expression, ask.subscripts, to_json(said)] for ask, said in entry.said.items()]
    candidates = entry.candidates
    listed = None if candidates is None else [value_to_json(value) for value in candidates]
    plain = {"said": said, "candidates": listed, "ran": asdict(entry.ran)}
    rest = ("files", "packages", "gpus", "python", "date")
    return plain | {name: getattr(entry, name) for name in rest}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:40]
