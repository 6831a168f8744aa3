"""The snippet index: every program the chapters show, with what it prints and where to get it."""

from __future__ import annotations

import ast
from pathlib import Path

from book.contents import load
from book.rendering import ROOT


def listing(snippets: Path = ROOT / "snippets") -> str:
    """A heading a chapter, a line a program, as Markdown."""
    book, lines = load(ROOT / "docs"), []
    titles = {
        f"ch{chapter.number:02}": f"Chapter {chapter.number} · {chapter.title}"
        for part in book.parts
        for chapter in part.chapters
    } | {"home": "The first page"}
    for folder in sorted(path for path in snippets.iterdir() if path.name in titles):
        lines += [f"## {titles[folder.name]}", ""]
        for file in sorted(folder.glob("*.py")):
            here = f"../../snippets/{folder.name}/{file.stem}"
            says = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            lines += [
                f'<a href="{here}.py"><code>{folder.name}/{file.name}</code></a> '
                f'<a href="{here}.out">output</a>',
                f":   {says}",
                "",
            ]
    return "\n".join(lines)
