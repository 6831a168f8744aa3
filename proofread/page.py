"""A page as proofread sees it: blocks, code, claims, and every number with its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from proofread import claims, fences, inline, references
from proofread.arithmetic import Names
from proofread.blocks import Block, cut, line_of
from proofread.claims import Claim
from proofread.fences import Code, FenceError
from proofread.formulas import symbol
from proofread.inline import Inline, Numeral
from proofread.literals import read
from proofread.marks import Finding
from proofread.settings import Settings

QUIET = {"bash", "sh", "console", "json", "toml", "yaml", "html", "css", "js", "javascript"}


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

    @property
    def blocks_run(self) -> list[Code]:
        """The executed fences, in order."""
        return [code for code in self.codes if code.runs]

    def line(self, offset: int) -> int:
        return line_of(self.source, offset)

    def column(self, offset: int) -> int:
        return offset - self.source.rfind("\n", 0, offset)


def kind(numeral: Numeral) -> str:
    """computed, cited, structural, or unlabelled (which no page may have)."""
    if numeral.claim is not None:
        return numeral.claim.kind
    return "structural" if numeral.rule else "unlabelled"


def parse(source: str, path: str, settings: Settings = Settings()) -> Page:
    """Lex a page. Nothing runs."""
    page = Page(path, source)
    lets: dict[str, str] = {}  # TeX symbol -> expression, as of the current block
    names: Names = ()
    above: tuple[Block, Inline] | None = None
    for block in cut(source):
        page.blocks.append(block)
        if block.kind == "fence":
            lexed = _fence(page, block, settings)
        else:
            lexed = inline.lex(block, settings.names, names)
        page.lexed.append(lexed)
        page.problems += [Finding(at, "formula", told) for at, told in lexed.problems]
        for start, end in lexed.comments:
            comment = source[start:end]
            try:
                if pairs := claims.lets(comment):
                    lets = lets | pairs
                    names = tuple((name, symbol(name)) for name in lets)
            except ValueError as error:
                page.problems.append(Finding(start, "claim", str(error)))
            if claim := claims.parse(comment, start):
                claim.lets = lets
                page.claims.append(claim)
                if not claim.problem:
                    claims.attach(claim, block, lexed, above)
        if block.kind != "mark":
            above = block, lexed
    page.numerals = sorted(
        (n for lexed in page.lexed for n in lexed.numerals), key=lambda n: n.start
    )
    page.problems += references.check(path, source, page.blocks, page.lexed, settings)
    return page


def _fence(page: Page, block: Block, settings: Settings) -> Inline:
    """Executed code is a step of the program; other code is quoted, other text is prose."""
    lexed = Inline()
    try:
        code = fences.read(
            block, page.path, page.line(block.start), settings.root, settings.snippets
        )
    except FenceError as error:
        page.problems.append(Finding(block.start, "fence", str(error)))
        return lexed
    page.codes.append(code)
    if not code.runs and code.language not in QUIET:
        head = block.text.index("\n") + 1
        if m := re.search(r"\d+(?:\.\d+)?", block.text[head : block.text.rstrip().rfind("\n")]):
            span = (block.start + head + m.start(), block.start + head + m.end())
            lexed.numerals.append(Numeral(*span, read(m[0]), "fence", span))  # asks for a claim
    return lexed
