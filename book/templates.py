"""Makes the theme's templates quick: compiled once, and looked for where there are any."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, meta
from mkdocs.theme import Theme

from book.rendering import ROOT

CACHE = ROOT / ".cache/templates"
PAGES = ("404.html", "home.html", "main.html")  # which include all others


class Loader(FileSystemLoader):
    def list_templates(self) -> list[str]:
        """All but what is hidden: ten thousand icons, which no site ships."""
        found = set()
        for top in self.searchpath:
            for folder, folders, files in os.walk(top):
                folders[:] = [name for name in folders if not name.startswith(".")]
                found |= {(Path(folder) / name).relative_to(top).as_posix() for name in files}
        return sorted(found)


def quicken(theme: Theme) -> None:
    """Let a theme make its environments with this loader and a cache of compiled templates."""
    CACHE.mkdir(parents=True, exist_ok=True)
    plain: Callable[[], Environment] = theme.get_env

    def get_env() -> Environment:
        env = plain()
        env.loader = Loader(theme.dirs)
        env.bytecode_cache = FileSystemBytecodeCache(str(CACHE))
        return env

    theme.get_env = get_env  # type: ignore[method-assign]


def expect(theme: Theme) -> None:
    """Compile what the pages will need, if nothing has been compiled yet."""
    if any(CACHE.iterdir()):
        return
    env, names, seen = theme.get_env(), list(PAGES), set[str]()
    assert env.loader
    while names:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            env.get_template(name)
            source, _, _ = env.loader.get_source(env, name)
            names += filter(None, meta.find_referenced_templates(env.parse(source)))
