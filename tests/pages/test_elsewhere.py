"""Texts that reach readers from outside the pages state no number that nothing proves."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofread import page as pages
from proofread.settings import load

ROOT = Path(__file__).parents[2]
SETTINGS = load(ROOT)


def texts() -> Iterator[tuple[str, str]]:
    """(where, what) of every title, summary and docstring that the site shows."""
    contents = tomllib.loads((ROOT / "docs/contents.toml").read_text(encoding="utf-8"))
    for part in contents["part"]:
        yield "docs/contents.toml", part["title"]
        for chapter in part["chapters"]:
            yield f"docs/contents.toml, {chapter['file']}", chapter["title"]
            yield f"docs/contents.toml, {chapter['file']}", chapter["says"]
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name, text in re.findall(r"(?m)^(site_name|site_description): (.*)$", settings):
        yield f"mkdocs.yml, {name}", text
    nav = settings[settings.index("\nnav:") : settings.index("\ntheme:")]
    for title in re.findall(r"- ([^:\n]+):", nav):
        yield "mkdocs.yml, nav", title
    for file in sorted((ROOT / "snippets").glob("*/*.py")):
        docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
        yield file.relative_to(ROOT).as_posix(), docstring or ""


@pytest.mark.parametrize(("where", "text"), list(texts()))
def test_a_text_outside_the_pages_has_no_number_without_proof(where: str, text: str) -> None:
    page = pages.parse(f"{text}\n", "elsewhere.md", SETTINGS)
    found = [page.source[n.start : n.end] for n in page.unlabelled]
    assert not found, f"{where}: {text!r}"
