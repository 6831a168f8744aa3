"""Labs: notebooks as pages, framed by mkdocs-jupyter, and as files to take away.

A lab is a page like any other: its cells run through the store, and its text is proven. What is
made of that here is kept, so that a build in which no lab changed loads nothing of Jupyter.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import posixpath
import re
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from mkdocs.structure.files import File, Files

from book.contents import Contents
from book.rendering import ROOT
from proofread.reading.notebooks import Cell, cells

KEPT, TEMPLATES = ROOT / ".cache/labs", ROOT / "book/notebook"
EXHIBIT = re.compile(r'(<figure class="run" id="block-\d+">.*?</figure>)', re.S)
END = "<!-- end of the notebook -->"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
# What only the book's own pages understand: comments, notes, the classes of a paragraph.
OURS = re.compile(r"<!--.*?-->|\[\^[\w-]+\]|^\{: [^}]*\}\n?", re.S | re.M)
Where = Callable[[re.Match[str]], str]  # the address that a link leads to
LINK = re.compile(r"(?<=\]\()(?P<page>[^():\s]+\.(?:md|py))(?P<place>#[^()\s]*)?(?=\))")


class Lab(File):
    """A notebook, which MkDocs takes for a page."""

    def is_documentation_page(self) -> bool:
        return True


def is_lab(source: str) -> bool:
    return source.startswith("labs/") and source.endswith(".py")


def pages(files: Files) -> Files:
    """The files of a site, its notebooks as pages."""

    def page(file: File) -> File:
        return Lab(file.src_uri, str(file.src_dir), file.dest_dir, file.use_directory_urls)

    return Files([page(file) if is_lab(file.src_uri) else file for file in files])


def publish(html: str, lab: File, files: Files, book: Contents, address: str) -> str:
    """The page of a lab, each cell in its frame; the notebook and the program go beside it."""

    def where(link: re.Match[str]) -> str:
        source = posixpath.normpath(posixpath.join(posixpath.dirname(lab.src_uri), link["page"]))
        if file := files.get_file_from_path(source):
            return urljoin(address, file.url) + (link["place"] or "")
        planned = book.find(source)
        return f"{address}#{planned.place}" if planned else link[0]

    made = _remembered(html, list(cells(lab.content_string)), where, Path(lab.src_uri).stem)
    folder = Path(lab.abs_dest_path).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made["files"].items():
        (folder / name).write_text(text, encoding="utf-8")
    page: str = made["page"]
    return page


def _remembered(html: str, lab: Sequence[Cell], where: Where, name: str) -> dict[str, Any]:
    """What was made of a lab the last time, if it would come out the same."""
    readable = [_readable(cell, where) for cell in lab]
    template = next(TEMPLATES.rglob("*.j2")).read_text(encoding="utf-8")
    versions = [version(package) for package in ("mkdocs-jupyter", "nbconvert", "jupytext")]
    seen = [
        html,
        readable,
        [cell.tags for cell in lab],
        template,
        versions,
        Path(__file__).read_text(),
    ]
    key, kept = hashlib.sha256(json.dumps(seen).encode()).hexdigest(), KEPT / f"{name}.json"
    try:
        told: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        if told["key"] == key:
            return told
    except (OSError, ValueError, KeyError):
        pass
    files = _files(lab, readable, name)
    told = {"key": key, "page": _framed(html, lab), "files": files}
    with contextlib.suppress(OSError):  # what cannot be kept is made again
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=KEPT, delete=False, encoding="utf-8") as file:
            json.dump(told, file)
        Path(file.name).replace(kept)
    return told


def _readable(cell: Cell, where: Where) -> str:
    """A cell as any notebook shows it."""
    if cell.code:
        return "\n".join(cell.rows).strip("\n")
    text = OURS.sub("", "\n".join(row[2:] for row in cell.rows))
    return LINK.sub(where, text).strip("\n")


def _files(lab: Sequence[Cell], readable: Sequence[str], name: str) -> dict[str, str]:
    """The notebook, not run, and the same as a program."""
    import jupytext
    import nbformat

    made = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    for number, (cell, text) in enumerate(zip(lab, readable, strict=True), 1):
        new = nbformat.v4.new_code_cell if cell.code else nbformat.v4.new_markdown_cell
        made.cells.append(new(text, id=f"cell-{number}"))
        if cell.tags:
            made.cells[-1].metadata["tags"] = cell.tags
        if "solution" in cell.tags:
            made.cells[-1].metadata["jupyter"] = {"source_hidden": True}
    notebook = nbformat.writes(made) + "\n"
    made.metadata["jupytext"] = {
        "notebook_metadata_filter": "-all",
        "cell_metadata_filter": "tags,-all",
    }
    return {f"{name}.ipynb": notebook, f"{name}.py": jupytext.writes(made, fmt="py:percent")}


def _framed(html: str, lab: Sequence[Cell]) -> str:
    """Have mkdocs-jupyter lay out the cells, with our template in the place of its own."""
    import nbformat
    from mkdocs_jupyter import convert
    from mkdocs_jupyter.config import settings

    settings.templates_dir = str(TEMPLATES)
    text, *pieces = EXHIBIT.split(html)
    made = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    made.cells.append(nbformat.v4.new_markdown_cell(text))
    code = [cell for cell in lab if cell.code]
    for cell, exhibit, text in zip(code, pieces[::2], pieces[1::2], strict=True):
        tags = {"tags": cell.tags}
        made.cells.append(nbformat.v4.new_code_cell(exhibit, metadata=tags))
        made.cells.append(nbformat.v4.new_markdown_cell(text))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lab.ipynb"
        file.write_text(nbformat.writes(made), encoding="utf-8")
        rendered: str = convert.nb2html(str(file))
    return rendered.partition(END)[0]
