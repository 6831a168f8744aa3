"""The snippet index: every program the chapters show, with what it prints and where to get it."""

from __future__ import annotations

import ast
from pathlib import Path

from book.contents import load
from book.rendering import ROOT


def listing(snippets: Path = ROOT / "snippets") -> str:
    """A heading a chapter, a line a program, as Markdown."""
    book, lines = load(ROOT / "docs"), []
    for folder in sorted(snippets.glob("ch[0-9][0-9]")):
        number = int(folder.name[2:])
        chapter = next(c for part in book.parts for c in part.chapters if c.number == number)
        lines += [f"## Chapter {number} · {chapter.title}", ""]
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
