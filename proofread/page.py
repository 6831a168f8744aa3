"""A page as proofread sees it: blocks, code, claims, and every number with its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from proofread.marks import Finding
from proofread.maths.formulas import symbol
from proofread.reading import (
    attributes,
    characters,
    claims,
    fences,
    html,
    inline,
    notebooks,
    references,
)
from proofread.reading.blocks import Block, line_of
from proofread.reading.claims import Claim
from proofread.reading.codemarks import quotable
from proofread.reading.cutter import cut
from proofread.reading.fences import Code, FenceError
from proofread.reading.literals import read
from proofread.reading.spans import Inline, Numeral
from proofread.settings import Settings

FRONT = re.compile(r"---\n.*?\n---\n", re.S)
QUIET = {"bash", "sh", "json", "toml", "yaml", "html", "css", "js", "javascript"}


@dataclass
class Page:
    path: str
    source: str
    blocks: list[Block] = field(default_factory=list)
    lexed: list[Inline] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    numerals: list[Numeral] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)  # what is wrong before anything runs
    quoted: str = ""  # the code that its code marks may quote

    @property
    def blocks_run(self) -> list[Code]:
        """The executed fences, in order."""
        return [code for code in self.codes if code.runs]

    @property
    def unlabelled(self) -> list[Numeral]:
        """The numbers that nothing explains, which no page may have."""
        return [numeral for numeral in self.numerals if kind(numeral) == "unlabelled"]

    def line(self, offset: int) -> int:
        return line_of(self.source, offset)

    def column(self, offset: int) -> int:
        column = offset - self.source.rfind("\n", 0, offset)
        if not self.path.endswith(notebooks.SUFFIX):
            return column
        text = any(b.start <= offset < b.end and b.kind != "fence" for b in self.blocks)
        return column + text * len("# ")


def kind(numeral: Numeral) -> str:
    """computed, cited, structural, or unlabelled (which no page may have)."""
    if numeral.claim is not None:
        return numeral.claim.kind
    return "structural" if numeral.rule else "unlabelled"


def parse(
    source: str, path: str, settings: Settings = Settings(), quoted: str | None = None
) -> Page:
    """Lex a page. Nothing runs.

    `quoted` is the code that code marks may quote, if it is not this page's own.
    """
    page = Page(path, source, cut(source))
    if front := FRONT.match(source):
        written = dict(re.findall(r"(?m)^(\w+):[ ]*(.*)$", front[0]))
        told = attributes.unprovable(written, settings.names)
        page.problems += [Finding(0, "dialect", one) for one in told]
    fenced = [block for block in page.blocks if block.kind == "fence"]
    page.problems += characters.check(source, [(block.start, block.end) for block in fenced])
    for block in fenced:
        _read(page, block, settings)
    own = quotable(code.shown for code in page.blocks_run)
    page.quoted = own if quoted is None else quoted
    lets: Mapping[str, str] = {}
    above: tuple[Block, Inline] | None = None
    for block in page.blocks:
        if block.kind == "fence":
            lexed = _fence(page, block, settings)
        else:
            names = tuple((name, symbol(name)) for name in lets)
            lexed = inline.lex(block, settings.names, names, page.quoted)
        page.lexed.append(lexed)
        page.problems += [Finding(at, "dialect", told) for at, told in block.problems]
        page.problems += lexed.problems
        lets = _comments(page, block, lexed, lets, above)
        if block.kind != "mark":
            above = block, lexed
    page.numerals = sorted(
        (n for lexed in page.lexed for n in lexed.numerals), key=lambda n: n.start
    )
    tags = [tag for lexed in page.lexed for tag in lexed.tags]
    page.problems += [Finding(at, "dialect", told) for at, told in html.unbalanced(tags)]
    page.problems += references.check(path, source, page.blocks, page.lexed, settings)
    return page


def _comments(
    page: Page,
    block: Block,
    lexed: Inline,
    lets: Mapping[str, str],
    above: tuple[Block, Inline] | None,
) -> Mapping[str, str]:
    """Read a block's claims; return what symbols stand for (TeX -> expression) after it."""
    for start, end in lexed.comments:
        comment = page.source[start:end]
        try:
            lets = {**lets, **(claims.lets(comment) or {})}
        except ValueError as error:
            page.problems.append(Finding(start, "claim", str(error)))
        if claim := claims.parse(comment, start):
            claim.lets = lets
            page.claims.append(claim)
            if not claim.problem:
                claims.attach(claim, block, lexed, above)
    return lets


def _read(page: Page, block: Block, settings: Settings) -> None:
    try:
        code = fences.read(
            block, page.path, page.line(block.start), settings.root, settings.snippets
        )
    except FenceError as error:
        page.problems.append(Finding(block.start, "fence", str(error)))
        return
    page.codes.append(code)


def _fence(page: Page, block: Block, settings: Settings) -> Inline:
    """Executed code is a step of the program; other code is quoted, other text is prose."""
    lexed = Inline()
    code = next((code for code in page.codes if code.start == block.start), None)
    if code is None:
        return lexed
    for told in attributes.unprovable(code.attributes, settings.names):
        lexed.problems.append(Finding(block.start, "fence", told))
    if not code.runs and code.language not in QUIET:
        head = block.text.index("\n") + 1
        if m := re.search(r"\d+(?:\.\d+)?", block.text[head : block.text.rstrip().rfind("\n")]):
            span = (block.start + head + m.start(), block.start + head + m.end())
            lexed.numerals.append(Numeral(*span, read(m[0]), "fence", span))  # asks for a claim
    return lexed
