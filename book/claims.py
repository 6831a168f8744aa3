"""`0.2483<!-- = A[2][0] -->` becomes a number that carries its receipt; the receipts become the page's ledger."""

from __future__ import annotations

import math
import re
from html import escape

from markdown import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from . import program

TOKEN = re.compile(r"\ue000(\d+)\ue001")
NUMBER = r"[+\-−]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?:\s?[%×])?"
BEFORE = re.compile(  # a marked-up or plain literal, or inline mathematics
    rf'(<(?P<tag>strong|em|code)>[^<]*</(?P=tag)>|<span class="math">(?:(?!<span class="math">).)*?</span>|\[[^\]<]*\]|{NUMBER})\ue000(\d+)\ue001',
    re.S,
)
DISPLAY = re.compile(
    r'(?P<what><div class="math">(?:(?!<div class="math">).)*?</div>|<table(?:(?!<table).)*?</table>)\s*<p>\ue000(?P<n>\d+)\ue001</p>',
    re.S,
)
CELL = re.compile(rf"<td([^>]*)>({NUMBER}|−∞)</td>")


class ClaimPreprocessor(Preprocessor):
    """Swap each comment for a token before any other syntax can see it."""

    def run(self, lines):
        page, text = program.current, "\n".join(lines)
        if page is None or text != page.text:
            return lines
        for number, claim in reversed(list(enumerate(page.claims))):
            token = f"\ue000{number}\ue001"
            indent = re.search(r"(?:^|\n)([ ]*)$", text[: claim.start])
            alone = f"\n{indent[1]}{token}\n" if indent else token
            text = text[: claim.start] + alone + text[claim.end :]
        return text.split("\n")


class ClaimPostprocessor(Postprocessor):
    def run(self, text):
        page = program.current
        if page is None or "\ue000" not in text:
            return text
        text = DISPLAY.sub(lambda m: self.display(page.claims[int(m["n"])], m["what"]), text)
        return BEFORE.sub(lambda m: self.inline(page.claims[int(m[3])], m[1]), text)

    def inline(self, claim, what):
        name = f' aria-label="{re.sub("<[^>]+>", "", what)}"' if "<math" in what else ""
        return (
            f'<data class="claim" id="c{claim.id[1:]}" value="{escape(str(claim.value))}">'
            f'<a href="#{claim.id}"{name}>{what}</a></data>'
        )

    def display(self, claim, what):
        if what.startswith("<table"):
            what = CELL.sub(self.shade, what)
        mark = (
            f'<a class="mark" href="#{claim.id}" aria-label="Receipt: {claim.count} checked">'
            f'<span aria-hidden="true">{claim.count}</span></a>'
        )
        kind = "table" if what.startswith("<table") else "formula"
        return f'<div class="claimed {kind}" id="c{claim.id[1:]}">{what}{mark}</div>'

    def shade(self, match):
        attributes, literal = match.groups()
        if literal == "−∞":
            return f'<td class="hidden"{attributes}>{literal}</td>'
        value = float(literal.replace(",", "").replace("−", "-"))
        return f'<td style="--x:{value:g}">{literal}</td>'


def full(value) -> str:
    """The value at full precision, a row a line."""
    if isinstance(value, tuple):
        return "\n\n".join(map(full, value))
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "\n".join(map(full, value))
    return str(value).replace("-inf", "−∞")


def plural(claim) -> str:
    shown = re.sub(r"[*`]", "", claim.literal)
    if "matrix}" in shown or shown.startswith("|"):
        return f"{claim.count} numbers"
    return (
        shown.strip("$") if "\\" not in shown else f"{claim.count} number{'s' * (claim.count > 1)}"
    )


def ledger(page: program.Program) -> str:
    """Every receipt of the page, as a table that works without JavaScript and in print."""
    rows = []
    for claim in page.claims:
        block = claim.block
        source = (
            f'<a href="#{block.id}">{escape(block.file.rpartition("/")[2])}</a>'
            if block and claim.expr
            else "this line"
        )
        shape = f" {claim.shape}" if claim.shape else ""
        rows.append(
            f'<tr id="{claim.id}"><td><a href="#c{claim.id[1:]}">{claim.id[1:]}</a></td><td>{escape(plural(claim))}</td>'
            f"<td><code>{escape(claim.expr or 'both sides')}</code></td><td><samp>{escape(full(claim.value))}</samp></td>"
            f"<td>{claim.dtype}{shape}</td><td>{source}</td></tr>"
        )
    return (
        f'<details class="ledger" id="ledger" data-search-exclude><summary>{"All" if page.count > 1 else "The"} {page.count} number{"s" * (page.count > 1)} on this page</summary>'
        '<table class="plain"><thead><tr><th>#</th><th>page says</th><th>expression</th><th>code says</th><th>type</th>'
        f"<th>from</th></tr></thead><tbody>{''.join(rows)}</tbody></table></details>"
    )


class ClaimExtension(Extension):
    def extendMarkdown(self, md):
        md.preprocessors.register(ClaimPreprocessor(md), "book_claims", 200)
        md.postprocessors.register(ClaimPostprocessor(md), "book_claims", 0)


def makeExtension(**options):
    return ClaimExtension(**options)
