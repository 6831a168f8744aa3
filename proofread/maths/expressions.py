"""What a side of a formula means: literals, names and operations, as a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from proofread.maths.operations import INFINITIES, Result, Symbolic
from proofread.reading.literals import Literal


@dataclass(frozen=True)
class Leaf:
    """A printed number, by its place in the formula."""

    index: int
    literal: Literal


@dataclass(frozen=True)
class Name:
    """A symbol that stands for a value of the page's program; `let` says which.

    `index` holds the digits of q_3 or a_{21} where `let` speaks of q_i or a_{ij}.
    """

    source: str
    index: tuple[int, ...] = ()
    value: Result = None


@dataclass(frozen=True)
class Call:
    function: Callable[..., Result]
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Many:
    """A list, or a matrix as a list of its rows."""

    items: tuple[Expr, ...]


Expr = Leaf | Name | Call | Many


def evaluate(expr: Expr) -> Result:
    match expr:
        case Leaf(_, literal):
            if literal.value is None:
                raise Symbolic("a `?` has no value yet")
            return literal.value * literal.scale
        case Name(source, _, value):
            if value is None:
                raise Symbolic(f"{source} has no value here")
            return value
        case Many(items):
            return [evaluate(item) for item in items]
        case Call(function, arguments):
            return function(*map(evaluate, arguments))
    raise TypeError(expr)


def nodes(expr: Expr) -> list[Expr]:
    """The expression and everything in it, in reading order."""
    parts = (
        expr.items if isinstance(expr, Many) else (expr.arguments if isinstance(expr, Call) else ())
    )
    return [expr, *(node for part in parts for node in nodes(part))]


def leaves(expr: Expr) -> list[Leaf]:
    return [node for node in nodes(expr) if isinstance(node, Leaf)]


def names(expr: Expr) -> list[Name]:
    return [node for node in nodes(expr) if isinstance(node, Name)]


def slots(expr: Expr) -> list[Expr]:
    """The elements of a number, list or matrix: literals, and infinities, which have none."""
    if isinstance(expr, Many):
        return [slot for item in expr.items for slot in slots(item)]
    return [expr]


def is_plain(expr: Expr) -> bool:
    """A number, list or matrix as it stands, with no arithmetic in it."""
    return all(
        isinstance(slot, Leaf) or (isinstance(slot, Call) and slot.function in INFINITIES)
        for slot in slots(expr)
    )


def bind(expr: Expr, values: Mapping[Name, Result]) -> Expr | None:
    """The expression with a value for each name; None if the program has none yet."""
    if any(name not in values for name in names(expr)):
        return None
    return rewrite(expr, lambda e: replace(e, value=values[e]) if isinstance(e, Name) else e)


def put(expr: Expr, index: int, literal: Literal) -> Expr:
    """The same expression with another number printed at one place."""
    return rewrite(
        expr, lambda e: Leaf(index, literal) if isinstance(e, Leaf) and e.index == index else e
    )


def about(expr: Expr) -> Expr:
    """The same expression, its numbers marked as rounded: they follow an ≈."""
    return rewrite(
        expr, lambda e: Leaf(e.index, replace(e.literal, about=True)) if isinstance(e, Leaf) else e
    )


def rewrite(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    match expr:
        case Many(items):
            return Many(tuple(rewrite(item, change) for item in items))
        case Call(function, arguments):
            return Call(function, tuple(rewrite(item, change) for item in arguments))
    return change(expr)
