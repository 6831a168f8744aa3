"""Shapes and options at which kernels go wrong, for the interpreter and for GPUs alike."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import torch

from tests.kernels.judge import draw
from tests.kernels.layouts import LAYOUTS
from tests.kernels.pairwise import pairwise

DTYPES = ("float32", "float16", "bfloat16")


class Case(NamedTuple):
    """One call: shapes, and if they are not the usual ones, options."""

    L: int
    S: int
    Hq: int = 1
    Hkv: int = 1
    D: int = 16
    Dv: int | None = None
    batch: tuple[int, ...] | None = (1,)  # None is rank 2
    bounds: str = ""  # of BOUNDS
    mask: str = ""  # of MASKS
    softcap: float | None = None
    scale: float | None = None
    dtype: str = "float32"
    layout: str = "rows"  # of LAYOUTS, for q, k, v and the gradient of the output
    tile: tuple[int, int] | None = None  # queries and keys, in the interpreter

    def __str__(self) -> str:
        changed = self._asdict().items() - Case(self.L, self.S)._asdict().items()
        others = sorted(f"{name} {value}" for name, value in changed)
        return ", ".join([f"{self.L} queries", f"{self.S} keys", *others])

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of q, k and v."""
        Dv = self.D if self.Dv is None else self.Dv
        before = [() if self.batch is None else (*self.batch, H) for H in (self.Hq, self.Hkv)]
        L, S, D = self.L, self.S, self.D
        return (*before[0], L, D), (*before[1], S, D), (*before[1], S, Dv)

    @property
    def arguments(self) -> dict[str, Any]:
        """What attention is called with."""
        q, k, v = (LAYOUTS[self.layout](x) for x in draw(*self.shapes, dtype=self.dtype))
        options: dict[str, Any] = {"q": q, "k": k, "v": v, **BOUNDS[self.bounds]}
        if self.mask:
            options["mask"] = mask(self)
        if self.softcap is not None:
            options["softcap"] = self.softcap
        if self.scale is not None:
            options["scale"] = self.scale
        return options


BOUNDS: dict[str, dict[str, Any]] = {
    "": {},
    "causal": {"causal": True},
    "window (9, 5)": {"window": (9, 5)},
    "window (0, 0)": {"window": (0, 0)},
    "window (0, 40)": {"window": (0, 40)},
    "window (33, 0)": {"window": (33, 0)},
    "window (31, 32)": {"window": (31, 32)},
    "window (10⁹, 3)": {"window": (10**9, 3)},
    "window (10, 10⁹)": {"window": (10, 10**9)},
    "causal window (16, 7)": {"causal": True, "window": (16, 7)},
    "causal window (10⁹, 10⁹)": {"causal": True, "window": (10**9, 10**9)},
}
# Kind, then the axes along which it is not the same: b batch, h heads, l queries, s keys.
MASKS = (
    *("", "Boolean bhls", "Boolean ls", "Boolean s", "Boolean bs", "Boolean l", "Boolean h"),
    *("bias bhls", "bias ls", "bias s", "bias bs", "bias h", "bias hl", "bias "),
    *("bias with −∞ ls", "bias with −∞ bhls", "bias with rows of −∞ ls", "transposed bias hls"),
    *("float32 bias hls", "rows without keys hls"),
)


def mask(case: Case) -> torch.Tensor:
    """The mask that a case names."""
    kind, axes = case.mask.rsplit(" ", 1)
    *batch, L, _ = case.shapes[0]  # the batch may have any number of axes, and heads there may be
    names = ("b" * (len(batch) - 1) + "h" * (len(batch) > 0)) + "ls"
    sizes = (*batch, L, case.S)
    shape = tuple(n if name in axes else 1 for name, n in zip(names, sizes, strict=True))
    while shape and shape[0] == 1:
        shape = shape[1:]
    if "transposed" in kind:
        shape = (*shape[:-2], *shape[:-3:-1])
    (x,) = draw(shape, dtype="float32" if "float32" in kind else case.dtype, seed=2)
    if "transposed" in kind:
        x = x.mT
    if kind == "Boolean":
        return x > -0.3
    if kind == "rows without keys":
        return (x > -0.3) & (torch.arange(case.L, device=x.device)[:, None] % 3 != 1)
    if "rows of −∞" in kind:
        return x.masked_fill(torch.arange(case.L, device=x.device)[:, None] % 3 == 1, -inf)
    return x.masked_fill(x < -0.3, -inf) if "−∞" in kind else x


def lengths(tile: int, prime: int, larger: int) -> list[tuple[int, int]]:
    """Queries and keys around the edges of a tile, primes, more queries than keys."""
    edges = (tile - 1, tile, tile + 1)
    square = [(n, n) for n in (1, *edges)]
    mixed = [(tile - 1, tile + 1), (tile + 1, tile - 1), (tile, 2 * tile), (2 * tile + 1, tile)]
    others = [(1, tile), (1, 2 * tile + 1), (tile + 1, 1), (2, 3), (prime, larger), (larger, prime)]
    return [*square, *mixed, *others]


WIDTHS = [(D, D) for D in (1, 2, 16, 40, 64, 80, 96, 128, 200, 256)]
WIDTHS += [(64, 128), (128, 64), (24, 40), (16, 1), (1, 256)]
GROUPS = [(2, 2), (3, 1), (6, 2), (8, 1), (16, 2), (5, 1), (7, 1), (12, 3)]
EMPTY = {
    "no keys": Case(5, 0),
    "no queries": Case(0, 5),
    "neither": Case(0, 0),
    "no values": Case(5, 7, Dv=0),
    "no batch": Case(5, 7, batch=(0,)),
    "no batch of batches": Case(5, 7, batch=(2, 0)),
    "no heads": Case(5, 7, 0, 0),
    "no query heads": Case(5, 7, 0, 2),
}


def mixtures(
    sizes: list[tuple[int, int]],
    tiles: list[Any],
    bounds: Sequence[str] = (*BOUNDS,),
    masks: Sequence[str] = MASKS,
) -> list[Case]:
    """Cases in which any two values of two fields meet, for these lengths and tiles."""
    found = pairwise(
        {
            "lengths": sizes,
            "heads": [(1, 1), (2, 1), (3, 1), (4, 2)],
            "widths": [(16, 16), (20, 12), (64, 64), (8, 33)],
            "batch": [None, (), (2,), (1, 2)],
            "bounds": bounds,
            "mask": masks,
            "softcap": [None, 1.5, 30.0],
            "scale": [None, -0.7, 0, 0.5],
            "dtype": list(DTYPES),
            "layout": list(LAYOUTS),
            "tile": tiles,
        }
    )
    return [_case(**values) for values in found]


def _case(lengths: Any, heads: Any, widths: Any, batch: Any, **others: Any) -> Case:
    heads = (1, 1) if batch is None else heads
    return Case(*lengths, *heads, *widths, batch=batch, **others)
