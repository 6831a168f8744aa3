"""The builders that are compared: how each is started, and where it puts a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bench import forms
from tests.bench.source import Book

MKDOCS = ("mkdocs", "build", "-q")
SPHINX = ("sphinx", "-q", "-b", "html", "source", "site")


@dataclass(frozen=True)
class Tool:
    name: str
    made_of: tuple[str, ...]  # the distributions whose versions count
    files: Callable[[Book], dict[str, str]]
    command: tuple[str, ...]  # python -m …
    page: str  # where the HTML of a page is, with {} for its stem

    def pages(self, book: Book, folder: Path) -> dict[str, Path]:
        return {stem: folder / self.page.format(stem) for stem in book.pages}


OTHERS = (
    Tool(
        "markdown-exec",
        ("markdown-exec", "mkdocs", "mkdocs-material"),
        forms.markdown_exec,
        MKDOCS,
        "site/{}/index.html",
    ),
    Tool(
        "MyST-NB",
        ("myst-nb", "jupyter-cache", "sphinx"),
        forms.myst_nb,
        SPHINX,
        "site/{}.html",
    ),
    Tool(
        "Sphinx-Gallery",
        ("sphinx-gallery", "sphinx"),
        forms.sphinx_gallery,
        SPHINX,
        "site/made/plot_{}.html",
    ),
    Tool(
        "mkdocs-jupyter",
        ("mkdocs-jupyter", "mkdocs", "mkdocs-material"),
        forms.mkdocs_jupyter,
        MKDOCS,
        "site/{}/index.html",
    ),
)
