"""Executed code on the page: source and output as one exhibit, with its file and its device."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from markdown_exec import base_format
from markupsafe import Markup
from mkdocs.exceptions import PluginError
from pymdownx.superfences import SuperFencesException

from book import rendering
from book.mathml import NOTATION
from proofread.fences import Code

NAMES = {letter: kind for letter, kind in NOTATION.items() if letter not in "aos"}
NAME = re.compile(r'<span class="n">(\w+)</span>')


class ExhibitError(SuperFencesException, PluginError):  # type: ignore[misc]
    """Superfences lets its own exceptions through, and MkDocs prints its own without a trace."""


def render(**fence: Any) -> Markup:
    """The formatter that markdown-exec calls for each executed fence: nothing runs here."""
    page = rendering.current
    number = int(fence["extra"].pop("block", -1))
    if page is None or number < 0:
        raise ExhibitError("an executed fence that proofread did not find: is it in an output?")
    code, output = page.proof.page.blocks_run[number], page.proof.outcome.outputs[number]
    page.shown.add(number)
    html = base_format(language="python", run=lambda *_, **__: output.rstrip("\n"), **fence)
    if not fence.get("source"):
        html = html.replace('class="highlight"', 'class="highlight no-copy"')
        return Markup(f'<div id="block-{number + 1}">{html}</div>')
    source, *printed = re.split(r'(?=<div class="(?:language-\w+ )?highlight")', html)[1:]
    device = page.proof.outcome.devices[number] or "CPU"
    return Markup(_frame(page.up, number, code, device, source, "".join(printed) if output else ""))


def _frame(up: str, number: int, code: Code, device: str, source: str, printed: str) -> str:
    source = NAME.sub(_colour, source)
    if code.included:
        name = code.path.partition("/")[2]
        label = f'<a href="{up}{escape(code.path)}">{escape(name)}</a>'
    else:
        label = "<span>continued</span>"
    out = (
        '<div class="out no-copy" role="group" aria-label="Output">'
        f'<span class="label" aria-hidden="true">prints</span>{printed}</div>'
    )
    caption = f'{label} <span class="device">{escape(device)}</span>'
    return (
        f'<figure class="run" id="block-{number + 1}">'
        f"<figcaption data-search-exclude>{caption}</figcaption>"
        f"{source}{out if printed else ''}</figure>"
    )


def _colour(found: re.Match[str]) -> str:
    """Q, K, V, A and O have their colours in code, too."""
    kind = NAMES.get(found[1])
    return f'<span class="n c-{kind}">{found[1]}</span>' if kind else found[0]
