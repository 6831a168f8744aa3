"""Which mistakes explain what was seen: the fewest switches that reproduce every output."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby, product
from typing import Any

import numpy as np

from attnref.check.cases import Inputs
from attnref.check.known import Known
from attnref.check.model import Theory, predict

MOST = 2  # mistakes of one stage; conventions are not counted


def explain(
    seen: Sequence[tuple[Inputs, Any]], theory: Theory, switches: Sequence[Known], tolerance: float
) -> list[tuple[Known, ...]]:
    """All smallest sets of switches that, beside `theory`, reproduce the outputs; [] if none do."""
    for _, alike in groupby(_sets(switches), key=_size):
        found = [
            some
            for some in alike
            if all(fits(x, out, theory | values(some), tolerance) for x, out in seen)
        ]
        if found:
            return found
    return []


def values(switches: Iterable[Known]) -> Theory:
    return {switch.group: switch.value for switch in switches}


def fits(x: Inputs, out: Any, theory: Theory, tolerance: float) -> bool:
    """Whether the theory predicts this output, where it predicts a number at all."""
    try:
        if agrees(out, predict(x, theory), tolerance):
            return True
        # Over other axes than the keys, what is all hidden matters even to rows that see a key.
        across = theory.get("softmax", "").startswith("over")
        return across and agrees(out, predict(x, theory, low=-1e9), tolerance)
    except ValueError:  # shapes that this theory cannot bring together
        return False


def agrees(out: Any, expected: Any, tolerance: float) -> bool:
    """Whether an output is what was expected, wherever that is a number: in half of it at least."""
    told = np.isfinite(expected)
    if out.shape != expected.shape or 2 * told.sum() < told.size:
        return False
    largest = np.abs(expected[told]).max(initial=1e-30)
    with np.errstate(invalid="ignore"):
        return bool(np.all(np.abs(out[told] - expected[told]) <= tolerance * largest))


def _size(some: Sequence[Known]) -> tuple[int, int]:
    return sum(switch.kind == "mistake" for switch in some), len(some)


def _sets(switches: Sequence[Known]) -> Iterator[tuple[Known, ...]]:
    """Sets of switches of different groups, the smallest first, with no more than MOST mistakes."""
    conventions = [s for s in switches if s.kind == "convention"]
    mistakes = [s for s in switches if s.kind == "mistake"]
    for n, m in product(range(MOST + 1), range(len(conventions) + 1)):
        for chosen in product(combinations(mistakes, n), combinations(conventions, m)):
            some = chosen[0] + chosen[1]
            if len({s.group for s in some}) == len(some):
                yield some
