"""Which modules code will import, found without running it: those of its files as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

IMPORT = re.compile(r"(?m)^\s*(?:import|from)\s+([\w.]+)")
INCLUDED = re.compile(r'--8<--\s+"([^":]+)')


def needs(sources: Iterable[str], root: Path) -> set[str]:
    """The full names of all modules that code imports, through the project's own as well."""
    found: set[str] = set()
    waiting = [name for source in sources for name in _imports(source)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        if "." in name:
            waiting.append(name.rpartition(".")[0])
        for file in (root / f"{name.replace('.', '/')}.py", root / name / "__init__.py"):
            if file.is_file():
                waiting += _imports(file.read_text(encoding="utf-8", errors="replace"))
    return found


def hinted(page: str, root: Path, snippets: str) -> set[str]:
    """The same for a page of Markdown, from a glance at it: what its code may well import."""
    found = {m[1] for m in IMPORT.finditer(page)}
    files = [root / snippets / m[1] for m in INCLUDED.finditer(page)]
    sources = [file.read_text(errors="replace") for file in files if file.is_file()]
    return needs([*(f"import {name}" for name in found), *sources], root)


def _imports(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
