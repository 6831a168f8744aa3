"""For numbers without a claim: names of the page's program whose value rounds to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from proofread.page import Page, kind
from proofread.values import Value, compare, flatten, shape

LARGEST = 64  # elements of an array worth looking through


def suggest(page: Page, namespace: Mapping[str, object]) -> dict[int, list[str]]:
    """Expressions to claim by the offset of the number, the shortest first.

    `namespace` holds what the page's program has defined by its end.
    """
    unlabelled = [numeral for numeral in page.numerals if kind(numeral) == "unlabelled"]
    candidates = list(_candidates(namespace)) if unlabelled else []
    hints: dict[int, list[str]] = {}
    for numeral in unlabelled:
        found = [s for s, value in candidates if compare(numeral.literal, value) == "same"]
        if found:
            hints[numeral.start] = sorted(found, key=len)[:3]
    return hints


def _candidates(names: Mapping[str, object]) -> Iterator[tuple[str, Value]]:
    for name, result in names.items():
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
            yield from ((name + index, value) for index, value in zip(indices, values, strict=True))
