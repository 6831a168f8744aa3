"""Few combinations in which any two values meet, since most mistakes take two things to show."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest


def quick_or_deep(factors: dict[str, Sequence[Any]]) -> list[Any]:
    """All combinations, as parameters of a test: those of `pairwise` run always, the rest deep."""
    quick = [[*values.values()] for values in pairwise(factors)]
    return [
        pytest.param(
            *values,
            id=", ".join(map(str, values)),
            marks=() if [*values] in quick else pytest.mark.deep,
        )
        for values in product(*factors.values())
    ]


def pairwise(factors: dict[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Combinations of one value of each factor, in which every two values of two factors meet.

    Always the same ones: each begins with a pair that has not met, and takes on, factor by factor,
    the value that meets most of the others for the first time.

    Source: Cohen et al. 1997, "The AETG system: an approach to testing based on combinatorial
    design", section 3, without its random draws.
    """
    sizes = [len(values) for values in factors.values()]
    unmet = {
        ((f, x), (g, y))
        for f, g in combinations(range(len(sizes)), 2)
        for x, y in product(range(sizes[f]), range(sizes[g]))
    }
    found = []
    used = [[0] * size for size in sizes]
    while unmet:
        chosen = dict(min(unmet))
        for f in sorted(range(len(sizes)), key=lambda f: -sizes[f]):
            if f in chosen:
                continue
            gains = [
                (sum(_pair(f, x, g, y) in unmet for g, y in chosen.items()), -used[f][x], -x)
                for x in range(sizes[f])
            ]
            chosen[f] = -max(gains)[-1]
        unmet -= {_pair(f, x, g, y) for (f, x), (g, y) in combinations(chosen.items(), 2)}
        for f, x in chosen.items():
            used[f][x] += 1
        found.append({name: factors[name][chosen[f]] for f, name in enumerate(factors)})
    return found


def _pair(f: int, x: int, g: int, y: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return ((f, x), (g, y)) if f < g else ((g, y), (f, x))
