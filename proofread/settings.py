"""What proofread has to know about a book: [tool.proofread] in its pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
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
    timeout: float = 120.0  # seconds that a page's program may run
    devices: Mapping[str, str] = field(default_factory=dict)  # package -> where its work runs
    recorded: tuple[str, ...] = ()  # packages that not every system has

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
        books = _toml(root, options.get("bibliography"))
        parts = _toml(root, options.get("contents")).get("part", [])
    except FileNotFoundError as error:
        raise SettingsError(f"{error.filename} does not exist") from None
    except KeyError:
        raise SettingsError(f"{root / 'pyproject.toml'} has no [tool.proofread]") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"a settings file below {root} is not TOML: {error}") from None
    figures = {
        key: {place: tuple(quoted) for place, quoted in entry.get("figures", {}).items()}
        for key, entry in books.items()
    }
    files = [chapter["file"] for part in parts for chapter in part["chapters"]]
    return Settings(
        root,
        tuple(options.get("pages", ())),
        options.get("snippets", "snippets"),
        tuple(options.get("names", ())),
        figures,
        {int(file.partition("-")[0]): file for file in files},
        float(options.get("timeout", Settings.timeout)),
        options.get("devices", {}),
        tuple(options.get("recorded", ())),
    )


def _toml(root: Path, name: str | None) -> dict[str, Any]:
    return tomllib.loads((root / name).read_text(encoding="utf-8")) if name else {}
