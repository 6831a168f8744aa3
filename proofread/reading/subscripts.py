"""Formulas count from 1: a subscript that a `let` turns into an index below 0 is a mistake.

Python would take `Q[-1]` for the last row, and `q_0` would silently stand for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def below_one(symbol: str, expression: str, index: tuple[int, ...]) -> str:
    """What is wrong with the indices of a symbol under its `let`, or nothing.

    `below_one("q_i", "Q[i-1]", (0,))` names the symbol, the expression and what it came to.
    """
    values = dict(zip("ij", index, strict=False))
    for part in _indices(ast.parse(expression, mode="eval")):
        names = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
        if not names or not names <= values.keys():
            continue
        at = eval(compile(ast.Expression(part), "<let>", "eval"), {"__builtins__": {}}, values)
        if isinstance(at, int) and at < 0:
            said = ", ".join(f"{name} = {values[name]}" for name in sorted(names))
            return (
                f"{symbol} with {said} would be index {at} of {expression}: formulas count from 1"
            )
    return ""


def _indices(tree: ast.AST) -> Iterator[ast.expr]:
    """What stands in brackets after a name, and the bounds of slices there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in parts:
                if isinstance(part, ast.Slice):
                    yield from (bound for bound in (part.lower, part.upper) if bound)
                else:
                    yield part
