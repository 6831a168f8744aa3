"""Splits a formula into chains of sides, and tells numeric sides from symbolic ones.

`q \\cdot k_3 = 1 + 1 = 2` is one chain: a symbolic side, an expression, and a plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from proofread.maths import arithmetic, expressions, tex
from proofread.maths.arithmetic import Names
from proofread.maths.expressions import Expr, Name, evaluate
from proofread.maths.operations import Result, flat
from proofread.maths.tex import Gap, Grid, Node, Num, Op, Row, Script, Sym
from proofread.reading.literals import Literal, read

ROUGHLY = set("≈≃≅≐")
EQUAL = set("=≡≔") | ROUGHLY
ORDER = set("<>≤≥≪≫≠∈∼∝→⇒⟹⇔↦←∣")
SMALL = {"0", "1", "2"}  # structural among symbols: 1 − a, 2w, n/2


@dataclass
class Side:
    expr: Expr | None  # None: it has symbols without a value, so there is nothing to evaluate
    indices: list[int]  # of its numbers, in the order of the source
    relation: str = ""  # the sign before it

    @property
    def plain(self) -> bool:
        return self.expr is not None and expressions.is_plain(self.expr)

    @property
    def printed(self) -> list[int]:
        """Its numbers that have a part in the value (conditions of `cases` have none)."""
        return [leaf.index for leaf in expressions.leaves(self.expr)] if self.expr else []

    def values(self) -> list[Result]:
        assert self.expr is not None
        return flat(evaluate(self.expr))


@dataclass
class Chain:
    """Sides that all claim to be the same value."""

    sides: list[Side]

    @property
    def numeric(self) -> list[Side]:
        return [side for side in self.sides if side.expr is not None]

    def rounded(self, a: Side, b: Side) -> bool:
        """True if an ≈ stands somewhere between two sides."""
        i, j = sorted(i for i, side in enumerate(self.sides) if side is a or side is b)
        return any(side.relation in ROUGHLY for side in self.sides[i + 1 : j + 1])


@dataclass
class Formula:
    chains: list[Chain]
    literals: list[Literal]
    spans: list[tuple[int, int]]  # where each literal stands in the TeX source
    names: Names = ()
    rules: dict[int, str] = field(default_factory=dict)  # index -> structural rule
    orders: list[tuple[int, str]] = field(default_factory=list)  # <, → … before chain i

    @property
    def operands(self) -> list[int]:
        """Numbers that stand for something else than the chain's value: what `from` names."""
        plain = {i for c in self.chains for s in c.sides if s.plain for i in s.printed}
        return [i for i in range(len(self.literals)) if i not in plain and i not in self.rules]

    @property
    def used(self) -> set[Name]:
        """The symbols with a value that occur in it."""
        return {
            name
            for chain in self.chains
            for side in chain.sides
            if side.expr
            for name in expressions.names(side.expr)
        }

    def put(self, index: int, literal: Literal) -> Formula:
        """The same formula with another number printed at one place."""
        literals = [literal if i == index else old for i, old in enumerate(self.literals)]
        return replace(self._map(lambda e: expressions.put(e, index, literal)), literals=literals)

    def bind(self, values: Mapping[Name, Result]) -> Formula:
        """The same formula with values for the symbols that the page's `let` names."""
        return self._map(lambda e: expressions.bind(e, values))

    def _map(self, change: Callable[[Expr], Expr | None]) -> Formula:
        return replace(
            self,
            chains=[
                Chain(
                    [
                        replace(side, expr=change(side.expr) if side.expr else None)
                        for side in chain.sides
                    ]
                )
                for chain in self.chains
            ],
        )


def parse(source: str, *, display: bool = False, names: Names = ()) -> Formula:
    """Read a formula; `names` are the symbols that the page's `let` gives a value."""
    parsed = tex.read(source, display=display)
    formula = Formula([], [read(text) for text in parsed.texts], parsed.spans, names)
    for part in _parts(parsed.row):
        _split(part, formula)
    _scripts(parsed.row, formula)
    for side in (side for chain in formula.chains for side in chain.sides):
        if side.expr and side.plain and side.relation in ROUGHLY:
            side.expr = expressions.about(side.expr)
        for leaf in expressions.leaves(side.expr) if side.expr else ():
            formula.literals[leaf.index] = leaf.literal  # with the sign and unit it has there
        symbolic = side.expr is None or bool(expressions.names(side.expr))
        for index in side.indices if symbolic else set(side.indices) - set(side.printed):
            if formula.literals[index].text in SMALL:
                formula.rules.setdefault(index, "0, 1 or 2 among symbols")
    return formula


@lru_cache(maxsize=1024)
def symbol(source: str) -> Row:
    """The nodes of a symbol, in the form in which formulas are searched for it."""
    parsed = tex.read(source)
    return tex.canonical(parsed.row, parsed.texts)


def _parts(row: Row) -> list[Row]:
    """Separate formulas: the rows of a derivation, and what quads or commas set apart."""
    row = _strip(row)
    if len(row) == 1 and isinstance(row[0], Grid):
        parts: list[Row] = []
        for cells in row[0].rows:
            line = _strip(tuple(node for cell in cells for node in cell))
            if parts and line and _sign(line[0]) in EQUAL | ORDER:
                parts[-1] += line  # the derivation goes on
            else:
                parts.append(line)
        return [piece for part in parts for piece in _parts(part)]
    pieces = _cut(row, lambda n: n in (Op(","), Op(";"), Gap(True)))
    related = [any(_sign(n) in EQUAL | ORDER for n in piece) for piece in pieces]
    return [p for p in pieces if _strip(p)] if len(pieces) > 1 and all(related) else [row]


def _split(row: Row, formula: Formula) -> None:
    """Cut a formula at its relations; an inequality or arrow begins a new chain."""
    pieces = _cut(row, lambda n: _sign(n) in EQUAL | ORDER)
    signs = [_sign(node) for node in _top(row) if _sign(node) in EQUAL | ORDER]
    chain = Chain([])
    for sign, piece in zip(["", *signs], pieces, strict=True):
        if sign in ORDER:
            formula.chains.append(chain)
            formula.orders.append((len(formula.chains), sign))
            chain = Chain([])
        piece = _strip(piece)
        indices = sorted(n.index for n in tex.walk(piece) if isinstance(n, Num))
        expr = arithmetic.parse(piece, formula.literals, formula.names) if piece else None
        chain.sides.append(Side(expr, indices, sign))
    formula.chains.append(chain)


def _scripts(row: Row, formula: Formula) -> None:
    """Indices are structural, and so are one-digit exponents and limits of symbols."""
    for node in tex.walk(row):
        if not isinstance(node, Script):
            continue
        euler = node.base == (Sym("e"),) and not node.sub
        symbolic = not euler and any(isinstance(n, (Sym, Op)) for n in tex.walk(node.base))
        if symbolic:
            for inner in tex.walk(node.sub):
                if isinstance(inner, Num):
                    formula.rules[inner.index] = "index"
            for inner in tex.walk(node.sup):
                if isinstance(inner, Num) and len(formula.literals[inner.index].text) == 1:
                    formula.rules[inner.index] = "exponent"


def _sign(node: Node) -> str:
    return node.sign if isinstance(node, Op) else ""


def _strip(row: Row) -> Row:
    """Without spaces at the ends and without the full stop that closes a display."""
    while row and (isinstance(row[-1], Gap) or _sign(row[-1]) in (".", ",", ";")):
        row = row[:-1]
    while row and isinstance(row[0], Gap):
        row = row[1:]
    return row


def _top(row: Row) -> list[Node]:
    """The nodes outside all brackets."""
    found, depth = [], 0
    for node in row:
        closing = _sign(node) in (")", "]", "}", arithmetic.END_CASES)
        depth -= closing
        if depth == 0 and not closing:
            found.append(node)
        depth += _sign(node) in ("(", "[", "{")
    return found


def _cut(row: Row, at: Callable[[Node], bool]) -> list[Row]:
    top = {id(node) for node in _top(row)}
    pieces: list[list[Node]] = [[]]
    for node in row:
        if id(node) in top and at(node):
            pieces.append([])
        else:
            pieces[-1].append(node)
    return [tuple(piece) for piece in pieces]
