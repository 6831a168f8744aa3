"""A claim that says its number again proves nothing, however it wraps it: `round(0.2483, 4)`."""

from __future__ import annotations

import ast
import builtins
import contextlib
from collections.abc import Iterable, Iterator
from fractions import Fraction

from proofread.reading.literals import Literal

SMALL = {0, 1, 2}  # everybody's numbers: 1 - w[0] may well come to 1


def repeated(expression: str, literals: Iterable[Literal]) -> str:
    """The constant of an expression that is one of the printed numbers; nothing if none is."""
    printed = {abs(literal.value) for literal in literals if literal.value is not None}
    if not printed:
        return ""
    tree = ast.parse(f"[{expression}]", mode="eval")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = names - set(dir(builtins))
    for value in _constants(tree):
        if value in printed and (value not in SMALL or not own):
            return f"{float(value):g}"
    return ""


def _constants(node: ast.AST) -> Iterator[Fraction]:
    """The numbers in an expression, as written, that are no index, key or option of a call."""
    if isinstance(node, ast.Constant):
        with contextlib.suppress(ValueError):
            yield Fraction(str(node.value))
    for name, part in ast.iter_fields(node):
        if (isinstance(node, ast.Subscript) and name == "slice") or isinstance(node, ast.keyword):
            continue
        for child in part if isinstance(part, list) else [part]:
            if isinstance(child, ast.AST):
                yield from _constants(child)
