"""The grammar of a claim, and the rule for what it proves.

    <!-- = w[0] -->                   computed: the thing it touches has this value
    <!-- = w[0] from e[0], e.sum() -->   … and these are the numbers it is worked out from
    <!-- from A[1] -->                computed: only the numbers in it, in order
    <!-- = -->                        computed: a formula checked against itself
    <!-- @ vaswani2017, section 3.2 -->  cited
    <!-- let d_k = D; n = len(Q) -->  not a claim: what symbols of this page's formulas stand for

A claim proves what it touches: a number with its unit, a list, a formula, code marks, a link or an
image (its text and title), a tag (its attributes). If it touches a word or punctuation, or has
several values, it proves every number of the sentence so far that has no claim yet; in a table's
label, the column or the row that the label names; on a line of its own, the block above.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from proofread.reading import sentences
from proofread.reading.blocks import Block
from proofread.reading.codemarks import is_text
from proofread.reading.literals import read
from proofread.reading.repeats import repeated
from proofread.reading.spans import Inline, Numeral, Piece
from proofread.reading.words import WORDS

BODY = re.compile(r"<!--\s*(?P<body>(?:=|from\b|@).*?)\s*-->", re.S)
LET = re.compile(r"<!--\s*let\s(?P<body>.*?)-->", re.S)
LONGEST = 40  # characters; a claim names a value, it does not compute one
CLOSING = "*_\"'"


@dataclass
class Claim:
    start: int
    end: int
    kind: str  # computed, cited
    value: str = ""  # expression; empty for a self-check or operands alone
    operands: str = ""  # expression after `from`
    source: str = ""  # the comment's text, on one line
    key: str = ""  # of the bibliography
    locator: str = ""
    scope: str = ""  # what it touches: number, list, math, code, text, sentence, column, block, …
    numerals: list[Numeral] = field(default_factory=list)
    piece: Piece | None = None
    text: str = ""  # for things without numbers: `torch.float32`, True
    problem: str = ""
    lets: Mapping[str, str] = field(default_factory=dict)  # what symbols stand for at this place

    @property
    def itself(self) -> bool:
        """True for `<!-- = -->` and `<!-- = from … -->`: a formula checked against itself."""
        return self.kind == "computed" and not self.value and self.source.startswith("=")

    @property
    def spread(self) -> bool:
        """True if the expression spells several values: `a, b` or `*w`."""
        return bool(self.value) and _count(self.value) != 1


def parse(comment: str, start: int) -> Claim | None:
    """The claim in an HTML comment, or None if the comment is only a comment."""
    found = BODY.fullmatch(comment)
    if not found:
        return None
    end, body = start + len(comment), " ".join(found["body"].split())
    if body.startswith("@"):
        key, _, locator = body[1:].partition(",")
        return Claim(start, end, "cited", source=body, key=key.strip(), locator=locator.strip())
    value, operands = _split(body.removeprefix("=").strip())
    claim = Claim(start, end, "computed", value, operands, body)
    for part in filter(None, (value, operands)):
        if _count(part) < 0:
            claim.problem = f"{part!r} is not a Python expression"
        elif long := next((one for one in _parts(part) if len(one) > LONGEST), None):
            claim.problem = f"{long} computes: name the value in the code, and claim the name"
    if not claim.problem and value and _bare(value):
        claim.problem = f"{value} proves nothing: say where the number comes from"
    return claim


def lets(comment: str) -> dict[str, str] | None:
    """What `<!-- let d_k = D; n = len(Q) -->` says: TeX symbol -> Python expression."""
    found = LET.fullmatch(comment)
    if not found:
        return None
    pairs: dict[str, str] = {}
    for pair in found["body"].split(";"):
        symbol, equals, expression = pair.partition(" = ")
        if not equals or _count(expression) != 1:
            raise ValueError(f"let: {pair.strip()!r} is not SYMBOL = EXPRESSION")
        pairs[symbol.strip()] = " ".join(expression.split())
    return pairs


def attach(claim: Claim, block: Block, lexed: Inline, above: tuple[Block, Inline] | None) -> None:
    """Find what a claim proves and mark its numbers as claimed."""
    if block.kind == "table" and "|" in claim.source:
        claim.problem = "holds |, where other renderers cut the cell: name the value in the code"
        return
    if block.kind == "mark":
        _above(claim, above)
    else:
        _touching(claim, block, lexed)
    claim.numerals = [
        n
        for n in claim.numerals
        if n.claim is None and (not n.rule or claim.scope in ("number", "list"))
    ]
    for numeral in claim.numerals:
        numeral.claim = claim
    if claim.value and not claim.problem:
        again = repeated(claim.value, (numeral.literal for numeral in claim.numerals))
        if again:
            claim.problem = f"{claim.value} repeats {again}: say where the number comes from"


def _above(claim: Claim, above: tuple[Block, Inline] | None) -> None:
    if above is None:
        claim.problem = "stands on a line of its own, but there is no block above it"
        return
    block, lexed = above
    claim.scope = {"display": "math", "fence": "text"}.get(block.kind, "block")
    claim.numerals = list(lexed.numerals)
    claim.text = _body(block) if block.kind == "fence" else ""
    claim.piece = lexed.pieces[0] if block.kind == "display" and lexed.pieces else None


def _touching(claim: Claim, block: Block, lexed: Inline) -> None:
    at = claim.start - block.start
    text = lexed.masked
    before = text[:at].rstrip(CLOSING)
    end = block.start + len(before)
    if not before.strip("\0 \t"):
        line_start = not block.text[:at].rpartition("\n")[2].strip()
        if line_start and not any(p.end == end for p in lexed.pieces):
            claim.problem = (
                "starts a line: put it right after what it proves, or on a line of "
                "its own below a table or a display formula"
            )
            return
    piece = next((p for p in lexed.pieces if p.end in (claim.start, end)), None)
    number = next((n for n in lexed.numerals if n.end in (claim.start, end)), None)
    if piece and piece.kind == "math":
        claim.scope, claim.piece, claim.numerals = "math", piece, list(piece.numerals)
    elif piece and piece.kind == "code" and (not piece.numerals or is_text(claim.value)):
        claim.scope, claim.text, claim.numerals = "text", piece.text, list(piece.numerals)
    elif piece:
        claim.scope, claim.piece = "list", piece
        claim.numerals = list(piece.numerals)
    elif number and not claim.spread:
        claim.scope, claim.numerals = "number", [number]
    elif _word(claim, before, end, lexed):
        return
    elif numbers := _sentence(block, lexed, at):
        claim.scope, claim.numerals = "sentence", numbers
    elif block.kind == "table" and (label := _label(block, lexed, at)):
        claim.scope, claim.numerals = label
    else:
        claim.problem = "proves nothing: no number without a claim stands before it"


def _word(claim: Claim, before: str, end: int, lexed: Inline) -> bool:
    """Numbers written as words, and the words that code prints."""
    word = re.search(r"[A-Za-z]+$", before)
    if word and word[0].lower() in WORDS.keys() - {"a"} and not claim.spread:
        span = (end - len(word[0]), end)
        numeral = Numeral(*span, read(word[0]), "word", span)
        claim.scope, claim.numerals = "number", [numeral]
        lexed.numerals.append(numeral)
    elif word and word[0] in ("True", "False"):
        claim.scope, claim.text = "text", word[0]
    return bool(claim.scope)


def _sentence(block: Block, lexed: Inline, at: int) -> list[Numeral]:
    """The unlabelled numbers from the start of the sentence (or the table cell) up to `at`."""
    start = sentences.start(lexed.masked, at)
    if block.kind == "table":
        start, _ = sentences.cell(lexed.masked, at)
    return [
        n
        for n in lexed.numerals
        if block.start + start <= n.start < block.start + at
        and not (n.rule or n.claim or n.place == "attribute")  # only a claim at its tag sees it
    ]


def _label(block: Block, lexed: Inline, at: int) -> tuple[str, list[Numeral]] | None:
    """The numbers that a table's header cell or first cell names."""
    rows = cells(block, lexed)
    here = [
        (r, c)
        for r, row in enumerate(rows)
        for c, (start, end) in enumerate(row)
        if start <= at <= end
    ]
    if not here:
        return None
    row, column = here[0]

    def numbers(start: int, end: int) -> list[Numeral]:
        return [n for n in lexed.numerals if start <= n.start - block.start < end and not n.rule]

    if row == 0:
        return "column", [
            n for line in rows[2:] if column < len(line) for n in numbers(*line[column])
        ]
    if column == 0:
        return "row", [n for cell in rows[row][1:] for n in numbers(*cell)]
    return None


def cells(block: Block, lexed: Inline) -> list[list[tuple[int, int]]]:
    """Start and end of every cell of a table, row by row; row 1 is the delimiter."""
    rows, at = [], 0
    for line in lexed.masked.splitlines(keepends=True):
        bars = [m.start() for m in re.finditer(r"(?<!\\)\|", line)]
        body = line.rstrip()
        edges = ([] if body.lstrip().startswith("|") else [-1]) + bars
        edges += [] if body.endswith("|") else [len(body)]
        rows.append([(at + a + 1, at + b) for a, b in pairwise(edges)])
        at += len(line)
    return rows


def _body(block: Block) -> str:
    return "\n".join(line[block.indent :] for line in block.text.rstrip("\n").splitlines()[1:-1])


def _split(body: str) -> tuple[str, str]:
    """Cut `value from operands`, minding that `from` may occur in a string."""
    for word in re.finditer(r"(?:^|\s)from\s", body):
        left, right = body[: word.start()].strip(), body[word.end() :].strip()
        if (not left or _count(left) > 0 or left.startswith("*")) and _count(right) > 0:
            return left, right
    return body, ""


def _bare(expression: str) -> bool:
    """True for 0.2483 and −3: a number that nothing computes."""
    node = ast.parse(f"[{expression}]", mode="eval").body
    inner = node.elts[0] if isinstance(node, ast.List) and len(node.elts) == 1 else node
    if isinstance(inner, ast.UnaryOp):
        inner = inner.operand
    return isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float))


def _parts(expressions: str) -> list[str]:
    listed = ast.parse(f"[{expressions}]", mode="eval").body
    return [ast.unparse(part) for part in listed.elts] if isinstance(listed, ast.List) else []


def _count(expression: str) -> int:
    """How many values an expression spells: 2 for `a, b`; 99 for `*w`; −1 if it is not one."""
    try:
        listed = ast.parse(f"[{expression}]", mode="eval").body
    except SyntaxError:
        return -1
    if not isinstance(listed, ast.List):
        return -1
    starred = any(isinstance(item, ast.Starred) for item in listed.elts)
    return 99 if starred else len(listed.elts)
