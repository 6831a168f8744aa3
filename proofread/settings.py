"""What proofread has to know about a book: [tool.proofread] in its pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

Figures = Mapping[str, tuple[str, ...]]  # place in a source -> numbers quoted from there


@dataclass(frozen=True)
class Settings:
    root: Path = Path()
    pages: tuple[str, ...] = ()  # globs
    snippets: str = "snippets"  # the folder that `--8<--` includes from
    names: tuple[str, ...] = ()  # proper names with a number of their own: Llama 2
    sources: Mapping[str, Figures] = field(default_factory=dict)  # the bibliography, by key
    chapters: Mapping[int, str] = field(default_factory=dict)  # number -> file, written or not
    labs: Mapping[int, str] = field(default_factory=dict)  # the same of notebooks
    timeout: float = 120.0  # seconds that a block may run
    memory: float = 4.0  # GiB that a page's processes may take
    output: float = 1.0  # MiB that a block may print
    devices: Mapping[str, str] = field(default_factory=dict)  # package -> where its work runs
    recorded: tuple[str, ...] = ()  # packages that not every system has
    preload: tuple[str, ...] = ()  # modules that are slow to import: once for all pages
    store: str = ".cache/proofread"  # the folder where results are kept
    limit: float = 256.0  # MiB that it may hold
    contents: str = ""  # the file that lists the chapters and labs
    templates: str = ""  # the folder of what `proofread new` makes

    def files(self) -> list[Path]:
        return sorted({path for glob in self.pages for path in self.root.glob(glob)})

    def name(self, path: Path) -> str:
        """How messages call a file: its path from the root."""
        path, root = path.resolve(), self.root.resolve()
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


class SettingsError(ValueError):
    """The project's settings cannot be read; the message says which and why."""


def load(root: Path) -> Settings:
    """Read the settings and the two files they name: the bibliography and the contents."""
    try:
        table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        options = table["tool"]["proofread"]
        books = read(root, options.get("bibliography"))
        contents = read(root, options.get("contents"))
    except FileNotFoundError as error:
        told = "go to the folder of the book, or name it with --root"
        raise SettingsError(f"{error.filename} does not exist: {told}") from None
    except KeyError:
        raise SettingsError(f"{root / 'pyproject.toml'} has no [tool.proofread]") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"a settings file below {root} is not TOML: {error}") from None
    figures = {
        key: {place: tuple(quoted) for place, quoted in entry.get("figures", {}).items()}
        for key, entry in books.items()
    }
    plain = {f.name: options[f.name] for f in fields(Settings) if f.name in options}
    unknown = set(options) - set(plain) - {"bibliography"}
    if unknown:
        raise SettingsError(f"[tool.proofread] has no setting {', '.join(sorted(unknown))}")
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()
    }
    given["chapters"] = _numbered(planned(contents))
    given["labs"] = _numbered(contents.get("lab", []))
    return Settings(**given | {"root": root, "sources": figures})


def read(root: Path, name: str | None) -> dict[str, Any]:
    """A file that the settings name, empty if they name none."""
    return tomllib.loads((root / name).read_text(encoding="utf-8")) if name else {}


def planned(contents: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """Every chapter of the contents, written or not, in order."""
    return [chapter for part in contents.get("part", []) for chapter in part["chapters"]]


def _numbered(entries: Sequence[Mapping[str, str]]) -> dict[int, str]:
    return {int(entry["file"].partition("-")[0]): entry["file"] for entry in entries}
