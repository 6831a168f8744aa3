"""Signatures as HTML, with the words of the source: what a name is, what it takes, what it gives.

Stripped of its tags, a signature is Python. A name that only its own file knows gives way to what
it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import griffe

Thing = griffe.Function | griffe.Class | griffe.Attribute
KIND = griffe.ParameterKind
STARRED = {KIND.var_positional, KIND.keyword_only}


def html(thing: Thing) -> str:
    return f'<code class="signature"><b>{escape(thing.name)}</b>{_rest(thing)}</code>'


def _rest(thing: Thing) -> str:
    """What follows the name."""
    if isinstance(thing, griffe.Attribute):
        alias = thing.annotation is None or str(thing.annotation) == "TypeAlias"
        return f" = <i>{_text(thing.value)}</i>" if alias else f": <i>{_text(thing.annotation)}</i>"
    *before, last = [*_parameters(thing.parameters)] or [""]
    inside = "".join(f"<span>{one},</span> " for one in before) + f"<span>{last})</span>"
    gives = thing.returns if isinstance(thing, griffe.Function) else None
    return f"({inside}" + (f" <span>-&gt; <i>{_text(gives)}</i></span>" if gives else "")


def _parameters(parameters: griffe.Parameters) -> Iterator[str]:
    """Each with its type and its default, and the marks between their kinds."""
    shown = [one for one in parameters if one.name not in ("self", "cls")]
    kinds = [one.kind for one in shown]
    for n, one in enumerate(shown):
        if one.kind is KIND.keyword_only and not STARRED & set(kinds[:n]):
            yield "*"
        yield _parameter(one)
        if one.kind is KIND.positional_only and kinds[n + 1 : n + 2] != [KIND.positional_only]:
            yield "/"


def _parameter(one: griffe.Parameter) -> str:
    stars = {KIND.var_positional: "*", KIND.var_keyword: "**"}.get(one.kind, "") if one.kind else ""
    text = f"{stars}{escape(one.name)}"
    text += f": <i>{_text(one.annotation)}</i>" if one.annotation else ""
    if stars or one.default is None:
        return text
    return f"{text}{' = ' if one.annotation else '='}{_text(one.default)}"


def _text(expression: str | griffe.Expr | None) -> str:
    """An annotation or a default: `TILE` becomes (64, 64), `State` what it is short for."""
    if not isinstance(expression, griffe.Expr):
        return escape(str(expression))
    return escape("".join(map(_known, expression.iterate(flat=True))))


def _known(piece: str | griffe.Expr) -> str:
    """A piece of an expression, or the value of the name that it is."""
    if isinstance(piece, griffe.ExprName) and isinstance(piece.parent, griffe.Object):
        own = piece.parent.module.members.get(piece.name)
        if isinstance(own, griffe.Attribute) and own.value is not None:
            return str(own.value)
    return str(piece)
