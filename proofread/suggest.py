"""For numbers without a claim: names of the page's program whose value rounds to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from proofread.page import Page
from proofread.values import Value, compare, flatten, shape

LARGEST = 64  # elements of an array worth looking through


def hints(page: Page, candidates: Sequence[Value]) -> dict[int, list[str]]:
    """Expressions to claim by the offset of the number, the shortest first."""
    found: dict[int, list[str]] = {}
    for numeral in page.unlabelled:
        fitting = [v.source for v in candidates if compare(numeral.literal, v) == "same"]
        if fitting:
            found[numeral.start] = sorted(fitting, key=len)[:3]
    return found


def candidates(namespace: Mapping[str, object]) -> Iterator[Value]:
    """Every number that a program's names hold, with the expression that gives it."""
    for name, result in namespace.items():
        size = shape(result)
        if (
            name.startswith("_")
            or (size is None and not isinstance(result, dict))
            or prod(size or ()) > LARGEST
        ):
            continue
        try:
            values = flatten(result)
        except TypeError:
            continue
        if isinstance(result, dict):
            indices = [f"[{key!r}]" for key in result]
        else:
            indices = [
                "[" + ", ".join(map(str, at)) + "]" if at else ""
                for at in product(*map(range, size or ()))
            ]
        if len(indices) == len(values):
            for index, value in zip(indices, values, strict=True):
                yield replace(value, source=name + index)
