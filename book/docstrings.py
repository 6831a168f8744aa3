"""Docstrings as HTML: what is aligned or indented stays so, errors and sources stand apart.

A docstring is plain text. Its first paragraph says what the thing is. A block whose lines begin
with a name and two spaces or more lists what each name means, an indented one is a formula, and
the paragraphs that begin with `Raises` and `Source:` come last.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from textwrap import dedent

ROW = re.compile(r"(?P<name>\S.*?)  +(?P<says>\S.*)")
CODE = re.compile(r"`([^`]+)`")
SHAPE = re.compile(r"(?:\b\w+ )?\([^()\s]{1,8}(?:, [^(),\s]{1,9}(?: [+·/] [^(),\s]{1,6})?){1,4}\)")
LITERAL = re.compile(r'\b[A-Z]\w+Error\b|"\w+"')  # the names of errors, and strings
ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5})")

Link = Callable[[str], str | None]  # from what is between backticks, or arXiv:1706.03762


@dataclass(frozen=True)
class Docstring:
    summary: str = ""  # the first paragraph
    body: list[str] = field(default_factory=list)  # the other paragraphs and blocks
    raises: str = ""
    source: str = ""


def parse(text: str) -> Docstring:
    """Cut a docstring into its parts, which are still plain text."""
    first, *rest = re.split(r"\n\s*\n", text.strip())
    marks = ("Raises ", "Source: ")
    raises, source = ("\n".join(p[len(m) :] for p in rest if p.startswith(m)) for m in marks)
    return Docstring(first, [p for p in rest if not p.startswith(marks)], raises, source)


def html(text: str, link: Link) -> str:
    """A docstring, or less of it."""
    doc = parse(text)
    parts = [f"<p>{inline(doc.summary, link)}</p>", *(_block(part, link) for part in doc.body)]
    facts = [("Raises", doc.raises), ("Source", doc.source)]
    rows = [f"<dt>{name}</dt><dd>{inline(fact, link)}</dd>" for name, fact in facts if fact]
    return "".join([*parts, f'<dl class="facts">{"".join(rows)}</dl>' if rows else ""])


def inline(text: str, link: Link) -> str:
    """Text with its code marks, its errors and strings, and its links; shapes stay whole."""
    pieces = CODE.split(" ".join(text.split()))
    pieces[::2] = [_plain(piece, link) for piece in pieces[::2]]
    pieces[1::2] = [_linked(f"<code>{escape(code)}</code>", link(code)) for code in pieces[1::2]]
    return "".join(pieces)


def _plain(text: str, link: Link) -> str:
    text = LITERAL.sub(r"<code>\g<0></code>", _raised(escape(text, quote=False)))
    text = SHAPE.sub(r'<span class="nowrap">\g<0></span>', text)
    return ARXIV.sub(lambda found: _linked(found[0], link(found[0])), text)


def _raised(text: str) -> str:
    """Raised and lowered letters as elements: the faces of the book lack some of them."""
    out = []
    for tag, run in groupby(text, lambda c: unicodedata.decomposition(c).partition(" ")[0]):
        part = "".join(run)
        if tag in ("<super>", "<sub>"):
            name = "sup" if tag == "<super>" else "sub"
            part = f"<{name}>{unicodedata.normalize('NFKC', part)}</{name}>"
        out.append(part)
    return "".join(out)


def _linked(html: str, address: str | None) -> str:
    return f'<a href="{escape(address)}">{html}</a>' if address else html


def _block(part: str, link: Link) -> str:
    if rows := _rows(part):
        items = (
            f"<dt><code>{escape(name)}</code></dt><dd>{inline(says, link)}</dd>"
            for name, says in rows
        )
        return f'<dl class="names">{"".join(items)}</dl>'
    if part.startswith("    "):
        sides = re.split(r"\n\s*|   +", dedent(part).strip())
        spans = " ".join(f"<span>{_raised(escape(side, quote=False))}</span>" for side in sides)
        return f'<p class="display">{spans}</p>'
    return f"<p>{inline(part, link)}</p>"


def _rows(part: str) -> list[tuple[str, str]]:
    """Names and what they mean, if all lines of a block are aligned so."""
    lines = part.split("\n")
    first = ROW.fullmatch(lines[0])
    if not first or part.startswith(" "):
        return []
    at, rows = first.start("says"), list[tuple[str, str]]()
    for line in lines:
        name, says = line[:at].rstrip(), line[at:]
        if line[at - 2 : at].strip() or not says or says[0] == " ":
            return []
        if name:
            rows.append((name, says))
        else:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {says}")
    return rows
