"""The bench book in the form that each of the other tools wants.

Data lies where the tool runs a page: beside the page under Sphinx, in the root under MkDocs.
"""

from __future__ import annotations

import re

from tests.bench.source import CLAIM, Book, Part

Files = dict[str, str]
MKDOCS = """site_name: Bench
theme: {{name: material, font: false}}
nav: [index.md, {nav}]
plugins: [search, {plugin}]
markdown_extensions: [admonition, attr_list, pymdownx.arithmatex: {{generic: true}},
  pymdownx.highlight, pymdownx.superfences]
"""
MYST = """project = "Bench"
extensions = ["myst_nb"]
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "cache"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
"""
GALLERY = """project = "Bench"
extensions = ["sphinx_gallery.gen_gallery", "sphinx.ext.mathjax"]
exclude_patterns = ["examples"]
sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "made",
    "filename_pattern": ".",
    "abort_on_example_error": True,
}
"""


def markdown_exec(book: Book) -> Files:
    """Pages with plain fences; each page is a session."""

    def page(stem: str, part: Part) -> str:
        if not part.code:
            return part.text
        head = f'python exec="on" source="above" result="text" session="{stem}"'
        return f"```{head}\n{part.text}```"

    pages = {
        f"docs/{stem}.md": "\n\n".join(page(stem, part) for part in book.parts(stem)) + "\n"
        for stem in book.pages
    }
    return pages | _mkdocs(book, ".md", "markdown-exec") | _support(book)


def myst_nb(book: Book) -> Files:
    def page(part: Part) -> str:
        return f"```{{code-cell}} ipython3\n{part.text}```" if part.code else part.text

    head = "---\nfile_format: mystnb\nkernelspec: {name: python3, display_name: Python}\n---\n\n"
    pages = {
        f"source/{stem}.md": head + "\n\n".join(map(page, book.parts(stem))) + "\n"
        for stem in book.pages
    }
    toc = "# Bench\n\n```{toctree}\n" + "\n".join(book.pages) + "\n```\n"
    return pages | {"source/conf.py": MYST, "source/index.md": toc} | _support(book, "source/")


def sphinx_gallery(book: Book) -> Files:
    """A script for each page, its prose as comments in reStructuredText."""

    def page(part: Part) -> str:
        if part.code:
            return part.text
        return "# %%\n" + "".join(f"# {row}".rstrip() + "\n" for row in _rst(part.text))

    files: Files = {}
    for stem in book.pages:
        first, *rest = book.parts(stem)
        intro = '"""\n' + "\n".join(_rst(first.text)).replace("\\", "\\\\") + '\n"""\n\n'
        files[f"source/examples/plot_{stem}.py"] = intro + "\n".join(map(page, rest))
    files["source/examples/README.rst"] = "Pages\n=====\n"
    files["source/index.rst"] = "Bench\n=====\n\n.. toctree::\n\n   made/index\n"
    return files | {"source/conf.py": GALLERY} | _support(book, "source/examples/")


def mkdocs_jupyter(book: Book) -> Files:
    """A py:percent notebook for each page."""

    def page(part: Part) -> str:
        if part.code:
            return f"# %%\n{part.text}"
        text = CLAIM.sub("", part.text)
        return "# %% [markdown]\n" + "".join(f"# {row}".rstrip() + "\n" for row in text.split("\n"))

    pages = {f"docs/{s}.py": "\n".join(map(page, book.parts(s))) for s in book.pages}
    plugin = "mkdocs-jupyter: {execute: true, allow_errors: false, include: ['*.py']}"
    return pages | _mkdocs(book, ".py", plugin) | _support(book)


def _mkdocs(book: Book, suffix: str, plugin: str) -> Files:
    nav = ", ".join(stem + suffix for stem in book.pages)
    return {"mkdocs.yml": MKDOCS.format(nav=nav, plugin=plugin), "docs/index.md": "# Bench\n"}


def _support(book: Book, beside: str = "") -> Files:
    """The module in the root, which is on the path, and the data where the pages run."""
    data = {f"{beside}{path}": text for path, text in book.named("data/").items()}
    return book.named("lesson/") | data


def _rst(text: str) -> list[str]:
    """The little Markdown that the pages use, as reStructuredText."""
    text = CLAIM.sub("", text)
    text = re.sub(r"`([^`]+)`", r"``\1``", text)
    text = re.sub(r"(?s)\$\$\n(.*?)\n\$\$", _display, text)
    text = re.sub(r"\$([^$]+)\$", r":math:`\1`", text)
    underlined = {"#": "=", "##": "-"}
    rows: list[str] = []
    for row in text.split("\n"):
        marks, _, title = row.partition(" ")
        heading = [title, underlined[marks] * len(title)] if marks in underlined else [row]
        rows += heading
    return rows


def _display(found: re.Match[str]) -> str:
    return ".. math::\n\n   " + found[1].replace("\n", "\n   ")
