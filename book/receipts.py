"""Every claim becomes a receipt: the number links to the row of the ledger that proves it.

`mark` puts private-use characters around what a claim proves and removes the comment, before
Markdown sees the page; `Receipts` turns them into elements when Markdown is done. So claims work
where Markdown allows no HTML: in headings (anchors stay clean), titles of boxes, and code marks.
"""

from __future__ import annotations

import re

from markdown.postprocessors import Postprocessor

from book import rendering
from proofread.page import Page
from proofread.proof import Proof
from proofread.reading.claims import LET, Claim
from proofread.reading.fences import Code

OPEN = 0xF0000  # opens a claim's first piece; which claim it is, is in the character
AGAIN = 0xF8000  # opens another piece of a claim
CLOSE = "\U000ffffd"
INSIDE, OUTSIDE = "\U000ffffb", "\U000ffffc"  # around a piece in a link, which cannot hold a link
BLOCK = "\ue000{}\ue001"  # a claim that proves the block above it
MARKS = re.compile(f"[{chr(OPEN)}-{CLOSE}]")
EMPTY = re.compile(f"([{chr(OPEN)}-{chr(AGAIN - 1)}]){CLOSE}")  # around nothing: only a place
ABOVE = re.compile(
    r'(?P<what><div class="math">(?:(?!<div class="math">).)*?</div>'
    r"|<table(?:(?!<table).)*?</table>)?\s*<p>\ue000(?P<n>\d+)\ue001</p>",
    re.S,
)
SUMMARY = re.compile(r"<summary>.*?</summary>", re.S)  # a click there opens it
LINK = re.compile(r'<a href="#n\d+" tabindex="-1">(.*?)</a>', re.S)
FORMULA = re.compile(  # a link or a header cell that holds nothing but a formula
    r"<(?P<tag>a|th)(?P<rest>[^>]*)>"
    r'(?P<math><span class="math">(?:(?!</span>).)*</span>)</(?P=tag)>',
    re.S,
)
CELL = re.compile(r"<td([^>]*)>([+\-−]?\d[\d,]*(?:\.\d+)?|−∞)</td>")

Edit = tuple[int, int, str]


def mark(proof: Proof) -> str:
    """The page's Markdown without comments, with its code in place and its claims marked."""
    page = proof.page
    edits = [edit for n, claim in enumerate(page.claims) for edit in _claim(page, n, claim)]
    edits += [
        (start, end, "\n" * page.source.count("\n", start, end))
        for lexed in page.lexed
        for start, end in lexed.comments
        if LET.fullmatch(page.source[start:end])
    ]
    edits += [edit for code in page.codes for edit in _code(page, code)]
    # At one place, what closes comes before what opens, and both before what is removed.
    edits.sort(key=lambda e: (e[0], e[0] != e[1], e[2] not in (CLOSE, OUTSIDE)))
    out, at = [], 0
    for start, end, text in edits:
        out += [page.source[at:start], text]
        at = max(at, end)
    return "".join([*out, page.source[at:]])


class Receipts(Postprocessor):
    """Marks become elements; tables that are proven whole get shaded by their numbers."""

    def run(self, text: str) -> str:
        page = rendering.current
        if page is None:
            return text
        claims = page.proof.page.claims
        text = ABOVE.sub(lambda m: _above(claims[int(m["n"])], int(m["n"]), m["what"] or ""), text)
        text = EMPTY.sub(lambda m: f'<span id="c{ord(m[1]) - OPEN + 1}"></span>', text)
        text = SUMMARY.sub(_unlink, MARKS.sub(_element, text))
        return FORMULA.sub(_name, text)


def _claim(page: Page, number: int, claim: Claim) -> list[Edit]:
    kept = "\n" * page.source.count("\n", claim.start, claim.end)
    if claim.kind == "cited":
        kept = f"[^{claim.key}]{kept}"
    if _alone(page, claim):
        indent = page.source[page.source.rfind("\n", 0, claim.start) + 1 : claim.start]
        return [(claim.start, claim.end, f"\n{indent}{BLOCK.format(number)}\n")]
    edits = [(claim.start, claim.end, kept)]
    links = [p for lexed in page.lexed for p in lexed.pieces if p.kind == "link"]
    opening = chr(OPEN + number)
    pieces = _pieces(page, claim)
    if not pieces:  # numbers in attributes: the place after their tag is where the ledger leads
        return [*edits, (claim.start, claim.start, opening + CLOSE)]
    for start, end in pieces:
        if any(link.start <= start < link.end for link in links):
            edits += [(start, start, INSIDE), (end, end, OUTSIDE)]
        else:
            edits += [(start, start, opening), (end, end, CLOSE)]
            opening = chr(AGAIN + number)
    return edits


def _alone(page: Page, claim: Claim) -> bool:
    """True for a claim about the formula, table or fence above it, on a line of its own."""
    before = page.source[page.source.rfind("\n", 0, claim.start) + 1 : claim.start]
    if before.strip(" >"):
        return False
    block = next(b for b in page.blocks if b.start <= claim.start < b.end)
    above = page.blocks[page.blocks.index(block) - 1]
    return block.kind == "mark" and above.kind in ("display", "table", "fence")


def _pieces(page: Page, claim: Claim) -> list[tuple[int, int]]:
    """What to wrap: the piece as a whole, or number by number."""
    piece = claim.piece
    if piece and piece.kind in ("math", "list", "code", "image"):
        return [(piece.start, piece.end)]
    if claim.scope == "text":
        start = page.source.rfind(claim.text, 0, claim.start)
        ticks = page.source[start - 1] == "`"
        return [(start - ticks, start + len(claim.text) + ticks)]
    whole = [p for lexed in page.lexed for p in lexed.pieces if p.kind in ("math", "image", "code")]
    found: list[tuple[int, int]] = []
    for numeral in claim.numerals:
        if numeral.place == "attribute":
            continue
        inside = next((p for p in whole if p.start <= numeral.start < p.end), None)
        span = (inside.start, inside.end) if inside else (numeral.start, numeral.end)
        if span not in found:  # a formula may hold several of a sentence's numbers
            found.append(span)
    return found


def _code(page: Page, code: Code) -> list[Edit]:
    """A fence's own lines replaced by the code it includes, and its number for the formatter."""
    head = page.source.index("\n", code.start)
    tail = page.source.rindex("\n", 0, code.end - 1)
    ticks = re.search(r"`{3,}|~{3,}", page.source[code.start : head])
    assert ticks
    indent = page.source[code.start : code.start + ticks.start()]
    body = "".join(indent + line for line in code.shown.splitlines(keepends=True))
    edits = [(head + 1, tail + 1, body)]
    if code.runs:
        edits.append((head, head, f' block="{page.blocks_run.index(code)}"'))
    return edits


def _element(found: re.Match[str]) -> str:
    fixed = {CLOSE: "</a></data>", INSIDE: '<span class="claim">', OUTSIDE: "</span>"}
    if found[0] in fixed:
        return fixed[found[0]]
    at = ord(found[0])
    number = at - (AGAIN if at >= AGAIN else OPEN)
    name = f' id="c{number + 1}"' if at < AGAIN else ""
    return f'<data class="claim"{name}><a href="#n{number + 1}" tabindex="-1">'


def _name(found: re.Match[str]) -> str:
    """Assistive technology does not take a link's or a cell's name from a formula."""
    tag, rest, math = found["tag"], found["rest"], found["math"]
    text = " ".join(re.sub(r"<[^>]+>", "", math).split())
    if tag == "a":
        return f'<a{rest} aria-label="{text}">{math}</a>'
    math = math.replace("<span", '<span aria-hidden="true"', 1)
    return f'<th{rest}>{math}<span class="unseen">{text}</span></th>'


def _unlink(found: re.Match[str]) -> str:
    return LINK.sub(r"\1", found[0])


def _above(claim: Claim, number: int, what: str) -> str:
    if what.startswith("<table"):
        what = CELL.sub(_shade, what)
    count = len(claim.numerals) or 1
    kind = "table" if what.startswith("<table") else "formula" if what else "text"
    return (
        f'<div class="claimed {kind}" id="c{number + 1}">{what}'
        f'<a class="mark" href="#n{number + 1}" tabindex="-1" '
        f'aria-label="Receipt: {count} checked"><span aria-hidden="true">{count}</span></a></div>'
    )


def _shade(found: re.Match[str]) -> str:
    attributes, literal = found.groups()
    if literal == "−∞":
        return f'<td class="hidden"{attributes}>{literal}</td>'
    value = float(literal.replace(",", "").replace("−", "-"))
    return f'<td{attributes} style="--x:{value:g}">{literal}</td>'
