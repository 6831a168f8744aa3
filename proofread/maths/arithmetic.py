"""Parses the numeric side of a formula, as TeX's nodes spell it, into an expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proofread.maths import operations as op
from proofread.maths.expressions import Call, Expr, Leaf, Many, Name
from proofread.maths.operations import Symbolic
from proofread.maths.tex import (
    APPLY,
    Frac,
    Gap,
    Grid,
    Node,
    Num,
    Op,
    Root,
    Row,
    Script,
    Sym,
    Text,
    canonical,
)
from proofread.reading.literals import UNITS, Literal

Names = tuple[tuple[str, Row], ...]  # symbols that have a value: source, nodes
COUNTED = {"bytes", "tokens", "elements", "keys", "heads", "layers", "operations", "parameters"}
END_CASES = "\N{INVISIBLE SEPARATOR}"  # math-core closes `cases` with it


def parse(row: Row, literals: Sequence[Literal], names: Names = ()) -> Expr | None:
    """The expression that a row of nodes spells, or None if it is not purely numeric."""
    parser = _Parser([n for n in row if not isinstance(n, Gap)], literals, names)
    try:
        expr = parser.items("")
        return expr if parser.at == len(parser.nodes) else None
    except (Symbolic, IndexError):
        return None


class _Parser:
    """Recursive descent; juxtaposition multiplies."""

    def __init__(self, nodes: Sequence[Node], literals: Sequence[Literal], names: Names) -> None:
        self.nodes, self.literals, self.names, self.at = list(nodes), literals, names, 0

    def peek(self) -> Node | None:
        return self.nodes[self.at] if self.at < len(self.nodes) else None

    def sign(self) -> str:
        node = self.peek()
        return node.sign if isinstance(node, Op) else ""

    def take(self, *signs: str) -> str:
        sign = self.sign()
        if sign and sign in signs:
            self.at += 1
            return sign
        return ""

    def items(self, closing: str) -> Expr:
        """One expression, or a list of them separated by commas."""
        found = [self.sum()]
        while self.take(",", ";"):
            found.append(self.sum())
        if closing and not self.take(closing):
            raise Symbolic(f"no {closing}")
        return found[0] if len(found) == 1 and closing != "]" else Many(tuple(found))

    def sum(self) -> Expr:
        total = self.term()
        while sign := self.take("+", "−", "-"):
            total = Call(op.add if sign == "+" else op.sub, (total, self.term()))
        return total

    def term(self) -> Expr:
        total = self.factor()
        while True:
            if sign := self.take("⋅", "·", "×", "∗", "/", "÷"):
                if sign == "×" and self.at == len(self.nodes):
                    return total  # 213×
                total = Call(op.div if sign in "/÷" else op.mul, (total, self.factor()))
            elif self.peek() is not None and (not self.sign() or self.sign() in "(["):
                total = Call(op.mul, (total, self.factor()))
            else:
                return total

    def factor(self) -> Expr:
        sign = self.take("−", "-", "+")
        if not sign:
            return self.atom()
        inner = self.factor()
        if sign == "+":
            return inner
        if isinstance(inner, Leaf):
            return Leaf(inner.index, inner.literal.negated())
        return Call(op.minus_infinity) if inner == Call(op.infinity) else Call(op.neg, (inner,))

    def atom(self) -> Expr:
        if name := self.name():
            return name
        node = self.peek()
        self.at += 1
        match node:
            case Num(index):
                return self.unit(Leaf(index, self.literals[index]))
            case Op("(" | "[" | "{") if isinstance(grid := self.peek(), Grid):
                self.at += 1
                self.take(")", "]", END_CASES)
                return self.grid(grid, cases=node.sign == "{")
            case Op("("):
                return self.items(")")
            case Op("["):
                return self.items("]")
            case Frac(above, below):
                return Call(op.div, (self.inner(above), self.inner(below)))
            case Root(body, ()):
                return Call(op.sqrt, (self.inner(body),))
            case Script((Sym("e"),), (), sup):
                return Call(op.exp, (self.inner(sup),))
            case Script((Num(index),), (), (Op("∘"),)):
                return Leaf(index, replace(self.literals[index], unit="°"))
            case Script(base, (), sup) if base and sup:
                return Call(op.power, (self.inner(base), self.inner(sup)))
            case Sym("∞"):
                return Call(op.infinity)
            case Sym("π"):
                return Call(op.pi)
            case Sym(function) if function in op.FUNCTIONS:
                self.take(APPLY)
                argument = self.atom()
                return Call(
                    op.FUNCTIONS[function],
                    argument.items if isinstance(argument, Many) else (argument,),
                )
        raise Symbolic(str(node))

    def name(self) -> Expr | None:
        """A symbol with a value: d_k, d_k^2, K^\\top, and q_3 where `let` speaks of q_i."""
        for source, row in self.names:
            if self.canonical(tuple(self.nodes[self.at : self.at + len(row)])) == row and (
                not _letters(row)
            ):
                self.at += len(row)
                return Name(source)
            node = self.peek()
            if len(row) != 1 or not isinstance(node, Script):
                continue
            alone = Script(node.base, node.sub, ()) if node.sub else node.base[0]
            name = self.indexed(source, row[0], alone)
            if self.canonical((alone,)) == row and not _letters(row):
                name = Name(source)
            if name:
                self.at += 1
                if node.sup in ((Sym("⊤"),), (Sym("T"),)):
                    return Call(op.transpose, (name,))
                return Call(op.power, (name, self.inner(node.sup))) if node.sup else name
        return None

    def indexed(self, source: str, pattern: Node, node: Node) -> Name | None:
        letters = _letters((pattern,))
        match node, pattern:
            case Script(base, (Num(index),), ()), Script(like, _, _) if letters and base == like:
                digits = self.literals[index].text
                if digits.isdigit() and len(digits) == len(letters):
                    return Name(source, tuple(map(int, digits)))
        return None

    def canonical(self, row: Row) -> Row:
        return canonical(row, [literal.text for literal in self.literals])

    def unit(self, leaf: Leaf) -> Leaf:
        node = self.peek()
        unit = node.text if isinstance(node, Text) else node.name if isinstance(node, Sym) else ""
        if unit in UNITS or unit in COUNTED:
            self.at += 1
            return Leaf(leaf.index, replace(leaf.literal, unit=unit))
        return leaf

    def inner(self, row: Row) -> Expr:
        expr = parse(row, self.literals, self.names)
        if expr is None:
            raise Symbolic(str(row))
        return expr

    def grid(self, grid: Grid, *, cases: bool) -> Expr:
        """A matrix row by row; a single column is a vector; of `cases`, the values."""
        rows = [[self.inner(cell) for cell in (row[:1] if cases else row)] for row in grid.rows]
        if all(len(row) == 1 for row in rows):
            return Many(tuple(row[0] for row in rows))
        return Many(tuple(Many(tuple(row)) for row in rows))


def _letters(row: Row) -> str:
    """The index letters of a symbol: i of q_i, ij of a_{ij}."""
    match row:
        case (Script(_, (Sym("i"),), ()),):
            return "i"
        case (Script(_, (Sym("i"), Sym("j")), ()),):
            return "ij"
    return ""
