"""Which files of the project, and which packages, a program really uses.

Files are those it imports, those it opens or lists (Python tells of it), and those it looked for
in vain: a file that appears changes a program as much as one that changes. A program that starts
another one may use any file, so it depends on all of them.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import os
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ALL = "*"
ABSENT = "absent"
BUILT = {"__pycache__", "site-packages", "site", "node_modules"}
STARTS = {"subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.fork"}
LIBRARY = sysconfig.get_path("stdlib")
TOOL = Path(__file__).resolve().parents[1]  # part of the environment, not of what a page uses


class Files:
    """The state of a project's files, each read once unless it changes."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._known: dict[str, tuple[object, str]] = {}

    def name(self, path: str | os.PathLike[str]) -> str | None:
        """The path from the root; nothing for a file that is none of the project's."""
        try:
            full = os.path.abspath(os.fspath(path))
        except TypeError:  # a file descriptor
            return None
        relative = os.path.relpath(full, self.root).replace(os.sep, "/")
        if isinstance(relative, bytes) or relative == "..":
            return None
        mine = not any(map(_built, relative.split("/"))) and not full.startswith(str(TOOL))
        return relative if mine else None

    def state(self, name: str) -> str:
        """What a file holds, or a folder lists, as a hash."""
        if name == ALL:
            return _hash("\n".join(f"{n} {self.state(n)}" for n in self._all()).encode())
        path = self.root / name
        try:
            status = path.stat()
            if path.is_dir():
                return "lists " + _hash("\0".join(sorted(self._listed(path))).encode())
            signature = (status.st_mtime_ns, status.st_size, status.st_ino)
            if name not in self._known or self._known[name][0] != signature:
                self._known[name] = signature, _hash(path.read_bytes())
            return self._known[name][1]
        except OSError:
            return ABSENT

    def hold(self, states: Mapping[str, str]) -> bool:
        """True if every file still is as it was."""
        return all(self.state(name) == state for name, state in states.items())

    def changed(self, name: str, since: int) -> bool:
        try:
            return (self.root / name).is_file() and (self.root / name).stat().st_mtime_ns > since
        except OSError:
            return False

    def _listed(self, folder: Path) -> list[str]:
        return [child.name for child in folder.iterdir() if self.name(child) is not None]

    def _all(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(f for f in folders if self.name(os.path.join(folder, f)))
            for file in sorted(files):
                if (name := self.name(os.path.join(folder, file))) and not file.endswith(".pyc"):
                    yield name


class Tracker:
    """Watches this process from now on. There can be one: an audit hook stays for good."""

    def __init__(self, root: Path) -> None:
        self.files = Files(root)
        self.used: set[str] = set()
        self.written: set[str] = set()
        self.modules: set[str] = set()  # top-level names that the project's own code imports
        self.changing = False  # a file changed since: what the program saw of it is not known
        self._own = {path.stem for path in root.iterdir()}  # modules that are no package's
        self._mine: dict[str, bool] = {"": False}
        self._since = time.time_ns()
        self._before = set(sys.modules)
        sys.addaudithook(self._audit)
        self._import = builtins.__import__
        builtins.__import__ = self._importing
        self._import_module = importlib.import_module
        importlib.import_module = self._importing_module
        self._stat = os.stat
        os.stat = self._looking

    def take(self) -> dict[str, str]:
        """The files used since the last time, and what they hold."""
        for name, module in list(sys.modules.items()):
            if name not in self._before:
                self._before.add(name)
                self._use(getattr(module, "__file__", None))
        used, self.used = self.used - self.written, set()
        self.changing |= any(self.files.changed(name, self._since) for name in used)
        return {name: self.files.state(name) for name in sorted(used)}

    def _use(self, path: Any) -> None:
        name = self.files.name(path) if isinstance(path, (str, os.PathLike)) else None
        if name and not name.endswith(".pyc"):
            self.used.add(name)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], (str, os.PathLike)):
            if isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
                if name := self.files.name(arguments[0]):
                    self.written.add(name)
            else:
                self._use(arguments[0])
        elif event in ("os.listdir", "os.scandir"):
            if "importlib" not in sys._getframe(1).f_code.co_filename:
                self._use(arguments[0] or ".")
        elif event in STARTS and self._asked_by_project():
            self.used.add(ALL)

    def _asked_by_project(self) -> bool:
        """Packages start processes of their own (ldconfig, say), which know nothing of a book."""
        frame = sys._getframe(2)
        while frame.f_back and frame.f_code.co_filename.startswith((LIBRARY, "<frozen")):
            frame = frame.f_back
        return self.files.name(frame.f_code.co_filename) is not None

    def _importing(self, name: str, globals: Any = None, *rest: Any, **named: Any) -> Any:
        self._note(name, globals or {})
        return self._import(name, globals, *rest, **named)

    def _importing_module(self, name: str, package: str | None = None) -> Any:
        self._note(name, sys._getframe(1).f_globals)
        return self._import_module(name, package)

    def _note(self, name: str, importer: Mapping[str, Any]) -> None:
        file = importer.get("__file__") or ""
        if file not in self._mine:
            self._mine[file] = self.files.name(file) is not None
        if self._mine[file] or importer.get("__name__") == "__main__":
            self.modules |= {name.partition(".")[0]} - self._own

    def _looking(self, path: Any, *rest: Any, **named: Any) -> os.stat_result:
        try:
            return self._stat(path, *rest, **named)
        except OSError:
            self._use(path)
            raise


def _built(part: str) -> bool:
    """True for what is hidden, built, or installed, and so none of the project's sources."""
    hidden = part.startswith((".", "__editable__")) and part != "."
    return hidden or part in BUILT or part.endswith(".egg-info")


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
