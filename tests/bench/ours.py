"""The bench book as our own builder wants it: this repository with other pages."""

from __future__ import annotations

import compileall
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.bench.source import Book
from tests.bench.tools import Tool

ROOT = Path(__file__).parents[2]
BUILDER = ("attnref", "book", "kernels", "proofread", "docs/assets", "docs/widgets")
SETTINGS = ("pyproject.toml", "docs/reference/bibliography.toml")
INDEX = "---\ntitle: Contents\ntemplate: home.html\nhide: [navigation, toc]\n---\n\n# Bench\n"


def copy_builder(folder: Path) -> None:
    """All of the book but its pages, compiled as an installed package would be."""
    for part in BUILDER:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        compileall.compile_dir(folder / part, quiet=1)
    for part in SETTINGS:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / part, folder / part)
    (folder / "snippets").mkdir()


def chapters(pages: Mapping[str, str], section: int = 0) -> dict[str, str]:
    """Pages as chapters, with the contents that they need."""
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    stems = list(pages)
    parts = [stems[at : at + section] for at in range(0, len(stems), section)] if section else []
    listed = []
    for number, part in enumerate(parts or [stems], 1):
        listed += [f'[[part]]\ntitle = "Section {number}"', "chapters = ["]
        for stem in part:
            title = pages[stem].partition("\n")[0].removeprefix("# ")
            listed.append(f'    {{ file = "{stem}", title = "{title}", says = "{title}." }},')
        listed.append("]\n")
    return {
        "docs/index.md": INDEX,
        "docs/contents.toml": "\n".join(listed),
        "mkdocs.yml": re.sub(r"(?ms)^nav:.*?(?=^\S)", "nav:\n  - Contents: index.md\n", config),
        **{f"docs/chapters/{stem}.md": text for stem, text in pages.items()},
    }


def files(book: Book) -> dict[str, str]:
    return chapters(book.pages) | {
        path: text for path, text in book.files.items() if not path.startswith("pages/")
    }


OURS = Tool(
    "this book",
    ("mkdocs", "mkdocs-material", "markdown-exec", "math-core"),
    files,
    ("book.build",),
    "site/chapters/{}/index.html",
)
