"""Executed code on the page: source and output as one exhibit, with its file and its device."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from markdown import Markdown
from markdown_exec import base_format
from markupsafe import Markup
from mkdocs.exceptions import PluginError
from pymdownx.superfences import SuperFencesException

from book import rendering
from book.mathml import NOTATION
from proofread.reading import notebooks
from proofread.reading.fences import Code

NAMES = {letter: kind for letter, kind in NOTATION.items() if letter not in "aos"}
NAME = re.compile(r'<span class="n">(\w+)</span>')
OURS = ("block", "alt", "on", "timeout")  # what a fence says to proofread
HEADINGS = "markdown_exec_insert_headings"
ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")
CONTROL = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}


class ExhibitError(SuperFencesException, PluginError):  # type: ignore[misc]
    """Superfences lets its own exceptions through, and MkDocs prints its own without a trace."""


def render(**fence: Any) -> Markup:
    """The formatter that markdown-exec calls for each executed fence: nothing runs here."""
    page = rendering.current
    number = int(fence["extra"].get("block", -1))
    if page is None or number < 0:
        raise ExhibitError("an executed fence that proofread did not find: is it in an output?")
    fence["extra"] = {name: v for name, v in fence["extra"].items() if name not in OURS}
    fence["id_prefix"] = ""  # headings that code prints have the addresses that they ask for
    code, ran = page.proof.page.blocks_run[number], page.proof.outcome.runs[number]
    page.shown.add(number)
    output = ran.output if fence.get("html") else visible(ran.output)
    made = base_format(language="python", run=lambda *_, **__: output.rstrip("\n"), **fence)
    drawn = "".join(f'<div class="drawn">{svg}</div>' for svg in ran.figures)
    if not fence.get("source"):
        html = made.replace('class="highlight"', 'class="highlight no-copy"')
        whole = Markup(f'<div id="block-{number + 1}">{html}{drawn}</div>')
        _list_headings(fence["md"], made, whole)
        return whole
    source, *printed = re.split(r'(?=<div class="(?:language-\w+ )?highlight")', made)[1:]
    device = (
        f"recorded on {ran.device}" if ran.recorded and ran.device != "recorded" else ran.device
    )
    shown = ("".join(printed) if output else "") + drawn
    return Markup(_frame(page.up, number, code, device or "CPU", source, shown))


def _list_headings(md: Markdown, printed: Markup, shown: Markup) -> None:
    """Let headings that code prints be in the page's list of sections.

    markdown-exec knows them by the text that it returned, which is no longer what is shown.
    """
    steps: Any = getattr(md, "_original_md", md).treeprocessors
    if HEADINGS in steps and (headings := steps[HEADINGS].headings.pop(printed, None)):
        steps[HEADINGS].headings[shown] = headings


def visible(output: str) -> str:
    """Output as a page can show it: without colours, and with signs for control characters."""
    return ANSI.sub("", output).translate(CONTROL)


def _frame(up: str, number: int, code: Code, device: str, source: str, printed: str) -> str:
    source = NAME.sub(_colour, source)
    if code.included:
        name = code.path.partition("/")[2]
        label = f'<a href="{up}{escape(code.path)}">{escape(name)}</a>'
    else:
        label = f"<span>{_place(number, code)}</span>"
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


def _place(number: int, code: Code) -> str:
    """What stands for the name of a file where the page itself is the file."""
    if code.path.endswith(notebooks.SUFFIX):
        return f"[{number + 1}]"
    return "continued" if number else "Python"


def _colour(found: re.Match[str]) -> str:
    """Q, K, V, A and O have their colours in code, too."""
    kind = NAMES.get(found[1])
    return f'<span class="n c-{kind}">{found[1]}</span>' if kind else found[0]
